// Service answers what is asked of it to see whether the adapter's statements hold (see PROBES).
type Service struct {
	nowMs func() int64
	mutex sync.Mutex
	count int
	both  sync.WaitGroup
}

// NewService makes one.
func NewService(nowMs func() int64) *Service {
	made := &Service{nowMs: nowMs}
	made.both.Add(2)
	return made
}

// Handle answers one request.
func (s *Service) Handle(request Request) Envelope {
	return Envelope{200, s.answer(request)}
}

func (s *Service) answer(request Request) any {
	switch request.Path {
	case "/v1/platform":
		return json.RawMessage(`PROFILE`)
	case "/together":
		s.both.Done()
		s.both.Wait()
		return struct{}{}
	case "/body":
		if text := string(request.Body); text == string([]rune(text)) {
			return map[string]string{"text": text}
		}
		return map[string]string{"base64": base64.StdEncoding.EncodeToString(request.Body)}
	case "/sent":
		return map[string]any{
			"body": request.Body != nil, "bearer": request.Bearer, "idempotencyKey": request.IdempotencyKey,
		}
	case "/clock":
		return map[string]int64{"nowMs": s.nowMs()}
	case "/count":
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.count++
		return map[string]int{"count": s.count}
	}
	fmt.Println("a stray line")
	panic("the probe \"fails\"\n")
}

