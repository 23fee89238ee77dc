#!/usr/bin/env ruby
# frozen_string_literal: true

require "json"
require_relative "../lib/service"
require_relative "../lib/variants"

# JSON-RPC 2.0 over stdio, one message a line. Requests are worked on by several
# threads; every other message waits until the requests before it are answered.
class Adapter
  WORKERS = 8
  CONTRACT = "partner-preview-1"

  def initialize(name, service_class, input, output)
    @name = name
    @service_class = service_class
    @input = input
    @output = output
    @writing = Mutex.new
    @pending = 0
    @counting = Mutex.new
    @idle = ConditionVariable.new
    @jobs = Queue.new
    @threaded = service_class.capabilities[:concurrency]
    Array.new(WORKERS) { Thread.new { work } } if @threaded
  end

  def run
    @input.each_line do |line|
      message = JSON.parse(line)
      if message["method"] == "handle" && @threaded
        @counting.synchronize { @pending += 1 }
        @jobs << message
      else
        drain
        answer(message)
        break if message["method"] == "shutdown"
      end
    rescue JSON::ParserError => e
      write({ jsonrpc: "2.0", id: nil, error: { code: -32_700, message: e.message } })
    end
    drain
  end

  private

  def work
    loop do
      answer(@jobs.pop)
      @counting.synchronize do
        @pending -= 1
        @idle.broadcast if @pending.zero?
      end
    end
  end

  def drain
    @counting.synchronize { @idle.wait(@counting) until @pending.zero? }
  end

  def answer(message)
    write({ jsonrpc: "2.0", id: message["id"], result: call(message["method"], message["params"] || {}) })
  rescue StandardError => e
    warn e.full_message(highlight: false)
    write({ jsonrpc: "2.0", id: message["id"], error: { code: -32_603, message: e.message } })
  end

  def call(method, params)
    case method
    when "initialize" then introduce
    when "start"
      @clock = VirtualClock.new(Integer(params.fetch("nowMs")))
      @service = @service_class.new(@clock)
      {}
    when "handle" then handle(params)
    when "advance" then { nowMs: @clock.advance(Integer(params.fetch("ms"))) }
    when "bytesToSign" then bytes_to_sign(params.fetch("message"))
    when "shutdown" then {}
    else raise ArgumentError, "no method #{method}"
    end
  end

  def introduce
    { protocol: 1, implementation: { name: "ruby-#{@name}", version: "1.0.0", language: "ruby" },
      capabilities: @service_class.capabilities, facts: @service_class.facts }
  end

  def bytes_to_sign(message)
    service = @service || @service_class.new(VirtualClock.new(0))
    { base64: [service.proof_bytes(message)].pack("m0") }
  end

  def handle(params)
    body = params["bodyBase64"] ? params["bodyBase64"].unpack1("m") : params["body"]
    status, answer = @service.handle(method: params["method"], path: params["path"], body: body,
                                     bearer: params["bearer"], key: params["idempotencyKey"])
    { status: status, body: answer }
  end

  def write(message)
    line = JSON.generate(message)
    @writing.synchronize do
      @output.puts(line)
      @output.flush
    end
  end
end

at = ARGV.index("--variant")
name = at ? ARGV[at + 1] : "right"
$stdin.set_encoding(Encoding::UTF_8)
$stdout.set_encoding(Encoding::UTF_8)
Adapter.new(name, Variants.service(name), $stdin, $stdout).run
