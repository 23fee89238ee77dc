// Skeleton of an adapter for the conformance kit: JSON-RPC 2.0, one message a line, Go 1.19 or later and nothing else.
// Fill in parts 1 and 2.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// ---- 1. YOUR SERVICE: replace what stands here.

// Service is a service with empty state. It reads no other clock than the one it is given.
type Service struct {
	nowMs func() int64 // Milliseconds since the Unix epoch.
	mutex sync.Mutex   // Hold it where requests share something: several are answered at once.
}

// NewService makes one.
func NewService(nowMs func() int64) *Service {
	return &Service{nowMs: nowMs}
}

// Handle answers one request.
func (s *Service) Handle(request Request) Envelope {
	if request.Method == "GET" && request.Path == "/v1/platform" {
		return Envelope{200, map[string]any{"mode": "OFFLINE_PROTOTYPE", "productionApproved": false}}
	}
	return Envelope{404, map[string]any{"code": "NO_EXECUTION_ENDPOINT", "productionApproved": false}}
}

// ---- 2. WHAT THE KIT CANNOT SEE: replace what is not so.
// "capabilities": what is left out by one, the kit accepts by name: --allow-untried capability:concurrency. "instances" is
// how many services may live side by side, which is how the kit hides the time that requests take.
// "facts": your two metadata hosts; "operatorKey", "signedBytes" and "capacity" may be added. Clients sign the message of a
// challenge as UTF-8 unless "signedBytes" says "hex", "base64", "sha256", or "adapter": then answer the method
// "bytesToSign", whose params are {"message"}, with {"base64"} of those bytes.

const about = `{
	"protocol": 1,
	"implementation": {"name": "my-service", "version": "0.0.0", "language": "Go"},
	"capabilities": {"clock": "virtual", "restart": true, "rawBody": true, "concurrency": true, "instances": 16},
	"facts": {"metadataHosts": ["metadata-one.example", "metadata-two.example"]}
}`

// ---- 3. THE PROTOCOL: stays as it is.

// Request is what a client sent: what was not sent is nil.
type Request struct {
	Method, Path   string
	Body           []byte // The exact bytes.
	Bearer         *string
	IdempotencyKey *string
}

// Envelope is the answer: an HTTP status, and what encoding/json makes the body of.
type Envelope struct {
	Status int `json:"status"`
	Body   any `json:"body"`
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Service        *string `json:"service"`
		NowMs          *int64  `json:"nowMs"`
		Ms             *int64  `json:"ms"`
		Method         string  `json:"method"`
		Path           string  `json:"path"`
		Body           *string `json:"body"`
		BodyBase64     *string `json:"bodyBase64"`
		Bearer         *string `json:"bearer"`
		IdempotencyKey *string `json:"idempotencyKey"`
	} `json:"params"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

const parseError, noMethod, invalidParams, internalError = -32700, -32601, -32602, -32603

// A service on a clock of its own.
type instance struct {
	clockMs  atomic.Int64
	service  *Service
	underWay sync.WaitGroup
}

var (
	instances = map[string]*instance{} // By the names that start gave; only the reader of lines touches it.
	out       = os.Stdout
	writing   sync.Mutex
)

func newInstance(clockMs int64) *instance {
	made := &instance{}
	made.clockMs.Store(clockMs)
	made.service = NewService(made.clockMs.Load)
	return made
}

func instanceOf(asked message) (*instance, *rpcError) {
	name := asked.Params.Service
	if name == nil {
		return nil, &rpcError{invalidParams, "no service is named: start gives the name of one"}
	}
	found := instances[*name]
	if found == nil {
		return nil, &rpcError{invalidParams, fmt.Sprintf("no service %q: start gives the name of one", *name)}
	}
	return found, nil
}

func moment(from int64, ms *int64) (int64, *rpcError) {
	const last = 253_402_214_400_000
	if ms == nil || *ms < 0 || *ms > last || from+*ms > last {
		return 0, &rpcError{invalidParams, "times are in milliseconds, and end with the year 9999"}
	}
	return from + *ms, nil
}

func handle(asked message, to *instance) (result any, failure *rpcError) {
	defer func() {
		if reason := recover(); reason != nil {
			fmt.Fprintf(os.Stderr, "panic: %v\n%s", reason, debug.Stack())
			failure = &rpcError{internalError, fmt.Sprintf("the service failed: %v", reason)}
		}
	}()
	params := asked.Params
	request := Request{Method: params.Method, Path: params.Path, Bearer: params.Bearer, IdempotencyKey: params.IdempotencyKey}
	if params.Body != nil {
		request.Body = []byte(*params.Body)
	}
	if params.BodyBase64 != nil {
		body, err := base64.StdEncoding.DecodeString(*params.BodyBase64)
		if err != nil {
			return nil, &rpcError{invalidParams, "bodyBase64: " + err.Error()}
		}
		request.Body = body
	}
	return to.service.Handle(request), nil
}

func answer(asked message) (any, *rpcError) {
	switch asked.Method {
	case "initialize":
		return json.RawMessage(about), nil
	case "start": // A new service, or one in the place of the one that is named.
		name := fmt.Sprintf("service-%d", len(instances)+1)
		if asked.Params.Service != nil {
			if _, failure := instanceOf(asked); failure != nil {
				return nil, failure
			}
			name = *asked.Params.Service
		}
		now, failure := moment(0, asked.Params.NowMs)
		if failure != nil {
			return nil, failure
		}
		instances[name] = newInstance(now)
		return map[string]string{"service": name}, nil
	case "advance":
		to, failure := instanceOf(asked)
		if failure != nil {
			return nil, failure
		}
		now, failure := moment(to.clockMs.Load(), asked.Params.Ms)
		if failure != nil {
			return nil, failure
		}
		to.clockMs.Store(now)
		return map[string]int64{"nowMs": now}, nil
	case "shutdown":
		return struct{}{}, nil
	default:
		return nil, &rpcError{noMethod, fmt.Sprintf("no method %q", asked.Method)}
	}
}

func write(id json.RawMessage, result any, failure *rpcError) {
	outcome := map[string]any{"jsonrpc": "2.0", "id": id}
	if failure == nil {
		outcome["result"] = result
	} else {
		outcome["error"] = failure
	}
	line, err := json.Marshal(outcome)
	if err != nil {
		write(id, nil, &rpcError{internalError, "the service failed: " + err.Error()})
		return
	}
	writing.Lock()
	defer writing.Unlock()
	out.Write(append(line, '\n'))
}

func main() {
	os.Stdout = os.Stderr // A stray fmt.Println belongs in the log, not among the answers.
	lines := bufio.NewReader(os.Stdin)
	for {
		line, end := lines.ReadBytes('\n')
		if end != nil && len(line) == 0 {
			if !errors.Is(end, io.EOF) {
				fmt.Fprintln(os.Stderr, end)
			}
			return
		}
		var asked message
		if err := json.Unmarshal(line, &asked); err != nil || asked.Method == "" {
			write(nil, nil, &rpcError{parseError, "the line is no request in JSON"})
			continue
		}
		if asked.Method == "handle" { // Requests are answered as they are done.
			to, failure := instanceOf(asked)
			if failure != nil {
				write(asked.ID, nil, failure)
				continue
			}
			to.underWay.Add(1)
			go func() {
				defer to.underWay.Done()
				result, failure := handle(asked, to)
				write(asked.ID, result, failure)
			}()
			continue
		}
		if to, _ := instanceOf(asked); to != nil {
			to.underWay.Wait() // Every other message to a service waits for them.
		}
		result, failure := answer(asked)
		write(asked.ID, result, failure)
		if asked.Method == "shutdown" {
			return
		}
	}
}
