// A service to start with, and the adapter protocol around it: JSON-RPC messages, one on each line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

type object = map[string]any

var about = object{
	"protocol": 1,
	// The name of this service in reports.
	"implementation": object{"name": "my-service", "version": "0.0.0", "language": "Go"},
	"capabilities":   object{"clock": "virtual", "restart": true, "rawBody": true, "concurrency": true},
	// Values that tests cannot observe. Other facts: operatorKey, signedBytes, capacity, clockStepMs.
	"facts": object{"metadataHosts": []string{"metadata-one.example", "metadata-two.example"}},
}

// Service is a service. Requests may be in flight together, each in a goroutine.
type Service struct {
	// nowMs returns the time in ms since the Unix epoch. Use no other clock: tests move this one.
	nowMs func() int64
}

// Call is a request. Credentials that are absent are nil, and so is the body.
type Call struct {
	Method         string  `json:"method"`
	Path           string  `json:"path"`
	Body           *string `json:"body"`
	BodyBase64     []byte  `json:"bodyBase64"` // A body that is not valid UTF-8.
	Bearer         *string `json:"bearer"`
	IdempotencyKey *string `json:"idempotencyKey"`
}

// NewService returns a service with empty state.
func NewService(nowMs func() int64) *Service {
	return &Service{nowMs: nowMs}
}

// Handle returns the status and the body of the response.
func (service *Service) Handle(call Call) (int, any) {
	if call.Method == "GET" && call.Path == "/v1/platform" {
		return 200, object{"mode": "OFFLINE_PROTOTYPE", "productionApproved": false}
	}
	return 404, object{"code": "NO_EXECUTION_ENDPOINT", "productionApproved": false}
}

// The adapter protocol. There is nothing to change below.

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

var (
	service *Service
	clock   = new(atomic.Int64)
	output  = os.Stdout
	lock    sync.Mutex
)

func perform(method string, params json.RawMessage) (any, error) {
	switch method {
	case "initialize":
		return about, nil
	case "start":
		var start struct{ NowMs int64 }
		err := json.Unmarshal(params, &start)
		own := new(atomic.Int64)
		own.Store(start.NowMs)
		clock, service = own, NewService(own.Load)
		return object{}, err
	case "advance":
		var advance struct{ Ms int64 }
		err := json.Unmarshal(params, &advance)
		return object{"nowMs": clock.Add(advance.Ms)}, err
	case "handle":
		var call Call
		if err := json.Unmarshal(params, &call); err != nil {
			return nil, err
		}
		status, body := service.Handle(call)
		return object{"status": status, "body": body}, nil
	case "shutdown":
		return object{}, nil
	}
	return nil, fmt.Errorf("unknown method %s", method)
}

// reply returns the answer to a message. A panic becomes an error with its stack.
func reply(one message) (answer object) {
	answer = object{"jsonrpc": "2.0", "id": one.ID}
	defer func() {
		if cause := recover(); cause != nil {
			data := object{"frames": frames()}
			answer["error"] = object{"code": -32603, "message": fmt.Sprint(cause), "data": data}
		}
	}()
	if result, err := perform(one.Method, one.Params); err != nil {
		answer["error"] = object{"code": -32603, "message": err.Error()}
	} else {
		answer["result"] = result
	}
	return answer
}

// frames returns the stack of a panic up to perform, innermost frame first.
func frames() (lines []string) {
	callers := make([]uintptr, 64)
	stack := runtime.CallersFrames(callers[:runtime.Callers(0, callers)])
	for frame, more := stack.Next(); more; frame, more = stack.Next() {
		switch {
		case frame.Function == "main.perform":
			return lines
		case frame.Function == "runtime.gopanic":
			lines = nil
		case !strings.HasPrefix(frame.Function, "runtime."):
			lines = append(lines, fmt.Sprintf("%s (%s:%d)", frame.Function, frame.File, frame.Line))
		}
	}
	return lines
}

func answer(one message) {
	line, _ := json.Marshal(reply(one))
	lock.Lock()
	defer lock.Unlock()
	fmt.Fprintf(output, "%s\n", line)
}

func main() {
	os.Stdout = os.Stderr // Text that the service prints is a log.
	lines := bufio.NewReaderSize(os.Stdin, 1<<16)
	// Holds back the requests of a chunk until all of them have a goroutine. The kit sends concurrent
	// requests at once, so they are usually in one chunk.
	gate := make(chan struct{})
	for {
		line, err := lines.ReadBytes('\n')
		var one message
		if err != nil || json.Unmarshal(line, &one) != nil {
			return
		}
		if one.Method == "handle" {
			go func(gate chan struct{}) {
				<-gate
				answer(one)
			}(gate)
		} else {
			answer(one)
		}
		if one.Method == "shutdown" {
			return
		}
		if lines.Buffered() == 0 {
			close(gate)
			gate = make(chan struct{})
		}
	}
}
