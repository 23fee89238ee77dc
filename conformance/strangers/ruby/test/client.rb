# frozen_string_literal: true

require "json"
require "openssl"
require "securerandom"
require_relative "../lib/base58"

# A creator with a key pair.
class Creator
  attr_reader :address

  def initialize
    @key = OpenSSL::PKey.generate_key("ED25519")
    @address = Base58.encode(@key.public_to_der[-32..])
  end

  def sign(bytes) = @key.sign(nil, bytes)
end

# Drives one adapter process over stdio.
class Client
  Answer = Struct.new(:status, :body) do
    def [](name) = body[name]
    def code = body["code"]
  end

  attr_reader :facts, :capabilities
  attr_accessor :proof

  def self.open(variant)
    client = new(variant)
    yield client
  ensure
    client&.close
  end

  def initialize(variant)
    adapter = File.expand_path("../bin/adapter.rb", __dir__)
    @io = IO.popen(["ruby", adapter, "--variant", variant], "r+")
    @next = 0
    told = call("initialize", protocol: 1, contract: "partner-preview-1")
    @facts = told["facts"]
    @capabilities = told["capabilities"]
    start
  end

  def start(at = 1_780_000_000_123) = call("start", nowMs: at)
  def advance(milliseconds) = call("advance", ms: milliseconds)

  def close
    call("shutdown", {})
    @io.close
    raise "exit status #{$?.exitstatus}" unless $?.success?
  end

  def call(method, params = {})
    burst([[method, params]]).first
  end

  # Sends all before it reads any; answers in the order of sending.
  def burst(messages)
    ids = messages.map do |method, params|
      @io.puts(JSON.generate(jsonrpc: "2.0", id: @next += 1, method: method, params: params))
      @next
    end
    @io.flush
    answers = ids.map { JSON.parse(@io.gets || raise("adapter is gone")) }.to_h { |answer| [answer["id"], answer] }
    ids.map { |id| answers.fetch(id)["result"] || raise("adapter fault: #{answers[id]}") }
  end

  def handle(**params)
    answer(call("handle", params))
  end

  def crowd(requests)
    burst(requests.map { |params| ["handle", params] }).map { |result| answer(result) }
  end

  def profile(**more) = handle(method: "GET", path: "/v1/platform", **more)
  def terms = (@terms ||= profile["termsHash"])

  def challenge(creator, terms_hash = terms, **more)
    post("/v1/auth/challenge", { creator: creator.respond_to?(:address) ? creator.address : creator, termsHash: terms_hash }, **more)
  end

  def bytes_to_sign(message)
    case facts["signedBytes"]
    when "sha256" then OpenSSL::Digest.digest("SHA256", message)
    when "adapter" then call("bytesToSign", message: message)["base64"].unpack1("m")
    else message
    end
  end

  def proof_of(creator, challenge) = creator.sign(bytes_to_sign(challenge["message"]))

  def verify_request(challenge, signature)
    { method: "POST", path: "/v1/auth/verify",
      body: JSON.generate(id: challenge["id"], signatureBase64: [signature].pack("m0")) }
  end

  def verify(challenge, signature) = handle(**verify_request(challenge, signature))

  def session(creator)
    issued = challenge(creator)
    verify(issued, proof_of(creator, issued))
  end

  def login(creator) = session(creator)["bearer"] || raise("no session")

  def launch(creator, **changes)
    @mint ||= Creator.new.address
    { creator: creator.address, mint: @mint, name: "Paper Kite", symbol: "KITE",
      uri: "https://#{facts['metadataHosts'][0]}/k/1.json" }.merge(changes)
  end

  def build_request(bearer, body, key = SecureRandom.hex(8))
    { method: "POST", path: "/v1/launch/build", body: body.is_a?(String) ? body : JSON.generate(body),
      bearer: bearer, idempotencyKey: key }.compact
  end

  def build(...) = handle(**build_request(...))

  def post(path, fields, **more) = handle(method: "POST", path: path, body: JSON.generate(fields), **more)

  private

  def answer(result) = Answer.new(result["status"], result["body"])
end
