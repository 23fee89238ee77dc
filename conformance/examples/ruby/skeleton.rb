# Skeleton of an adapter for the conformance kit: JSON-RPC 2.0, one message a line, Ruby 3.0 or later and nothing else.
# Fill in parts 1 and 2.

require "json"

# ---- 1. YOUR SERVICE: replace what stands here.

# A service with empty state. It reads no other clock than the one it is given.
class Service
  def initialize(now_ms)
    @now_ms = now_ms # A lambda: milliseconds since the Unix epoch.
    @lock = Mutex.new # Hold it where requests share something: several are answered at once.
  end

  # +body+ is the exact bytes sent; what was not sent is nil. Gives the status, and the JSON value of the body.
  def handle(method:, path:, body:, bearer:, idempotency_key:)
    if method == "GET" && path == "/v1/platform"
      return { status: 200, body: { mode: "OFFLINE_PROTOTYPE", productionApproved: false } }
    end
    { status: 404, body: { code: "NO_EXECUTION_ENDPOINT", productionApproved: false } }
  end
end

# ---- 2. WHAT THE KIT CANNOT SEE: replace what is not so.
# "capabilities": what is left out by one, the kit accepts by name: --allow-untried capability:concurrency. "instances" is
# how many services may live side by side, which is how the kit hides the time that requests take.
# "facts": your two metadata hosts; "operatorKey", "signedBytes" and "capacity" may be added. Clients sign the message of a
# challenge as UTF-8 unless "signedBytes" says "hex", "base64", "sha256", or "adapter": then answer the method
# "bytesToSign", whose params are {"message"}, with {"base64"} of those bytes.

ABOUT = {
  protocol: 1,
  implementation: { name: "my-service", version: "0.0.0", language: "Ruby" },
  capabilities: { clock: "virtual", restart: true, rawBody: true, concurrency: true, instances: 16 },
  facts: { metadataHosts: ["metadata-one.example", "metadata-two.example"] },
}.freeze

# ---- 3. THE PROTOCOL: stays as it is.

PARSE_ERROR, NO_METHOD, INVALID_PARAMS, INTERNAL_ERROR = -32_700, -32_601, -32_602, -32_603
LAST_MS = 253_402_214_400_000

# A message that is answered with an error.
class RpcError < StandardError
  attr_reader :code

  def initialize(code, message)
    super(message)
    @code = code
  end
end

# A service on a clock of its own.
class Instance
  attr_accessor :clock_ms, :under_way

  def initialize(clock_ms)
    @clock_ms = clock_ms
    @under_way = [] # Threads of requests that are not answered yet.
    @service = Service.new(-> { @clock_ms })
  end

  def handle(params)
    @service.handle(
      method: params["method"],
      path: params["path"],
      body: params["bodyBase64"]&.unpack1("m") || params["body"]&.b,
      bearer: params["bearer"],
      idempotency_key: params["idempotencyKey"],
    )
  end
end

INSTANCES = {} # By the names that start gave.

def instance_of(params)
  INSTANCES[params["service"]] or
    raise RpcError.new(INVALID_PARAMS, "no service #{params["service"].inspect}: start gives the name of one")
end

def moment(milliseconds)
  return milliseconds if milliseconds.is_a?(Integer) && milliseconds.between?(0, LAST_MS)

  raise RpcError.new(INVALID_PARAMS, "#{milliseconds.inspect} is no time before the end of the year 9999, in milliseconds")
end

def answer(method, params)
  case method
  when "initialize" then ABOUT
  when "start" # A new service, or one in the place of the one that is named.
    instance_of(params) if params["service"]
    name = params["service"] || "service-#{INSTANCES.size + 1}"
    INSTANCES[name] = Instance.new(moment(params["nowMs"]))
    { service: name }
  when "handle" then instance_of(params).handle(params)
  when "advance"
    instance = instance_of(params)
    instance.clock_ms = moment(instance.clock_ms + moment(params["ms"]))
    { nowMs: instance.clock_ms }
  when "shutdown" then {}
  else raise RpcError.new(NO_METHOD, "no method #{method.inspect}")
  end
end

OUT = $stdout
$stdout = $stderr # A stray puts belongs in the log, not among the answers.
WRITING = Mutex.new

def write(id, outcome)
  line = "#{JSON.generate({ jsonrpc: "2.0", id: id, **outcome })}\n"
  WRITING.synchronize do
    OUT.write(line)
    OUT.flush
  end
end

def reply(id, method, params)
  write(id, { result: answer(method, params) })
rescue RpcError => e
  write(id, { error: { code: e.code, message: e.message } })
rescue StandardError, NotImplementedError => e
  warn e.full_message(highlight: false)
  write(id, { error: { code: INTERNAL_ERROR, message: "the service failed: #{e.message.scrub} (#{e.class})" } })
end

$stdin.binmode.each_line("\n") do |line|
  begin
    message = JSON.parse(line.force_encoding(Encoding::UTF_8))
    id, method, params = message.fetch("id", nil), message.fetch("method"), message.fetch("params", {})
    raise TypeError, "method" unless method.is_a?(String)

    instance = INSTANCES[params.fetch("service", nil)]
  rescue StandardError
    write(nil, { error: { code: PARSE_ERROR, message: "the line is no request in JSON" } })
    next
  end
  if method == "handle" && instance # Requests are answered as they are done.
    instance.under_way.select!(&:alive?)
    instance.under_way << Thread.new(id, params) { |*asked| reply(asked[0], "handle", asked[1]) }
    next
  end
  instance&.under_way&.each(&:join) # Every other message to a service waits for them.
  reply(id, method, params)
  break if method == "shutdown"
end
