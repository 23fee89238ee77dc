# Answers what is asked of it to see whether the adapter's statements hold (see PROBES).
class Service
  def initialize(now_ms)
    @now_ms = now_ms
    @lock = Mutex.new
    @came = ConditionVariable.new
    @together = 0
    @count = 0
  end

  def handle(path:, body:, bearer:, idempotency_key:, **)
    { status: 200, body: answer(path, body, bearer, idempotency_key) }
  end

  private

  def answer(path, body, bearer, idempotency_key)
    case path
    when "/v1/platform" then JSON.parse('PROFILE')
    when "/together" then together
    when "/body"
      text = body.dup.force_encoding(Encoding::UTF_8)
      text.valid_encoding? ? { text: text } : { base64: [body].pack("m0") }
    when "/sent" then { body: !body.nil?, bearer: bearer, idempotencyKey: idempotency_key }
    when "/clock" then { nowMs: @now_ms.call }
    when "/count" then @lock.synchronize { { count: @count += 1 } }
    else
      puts "a stray line"
      raise %(the probe "fails"\n)
    end
  end

  def together
    @lock.synchronize do
      @together += 1
      @came.broadcast
      @came.wait(@lock) until @together >= 2
    end
    {}
  end
end

