# frozen_string_literal: true

require "digest"
require "securerandom"
require_relative "base58"
require_relative "ed25519"
require_relative "strict_json"

# Moved on by whoever holds it; milliseconds since the Unix epoch.
class VirtualClock
  attr_reader :now

  def initialize(now)
    @now = now
  end

  def advance(milliseconds)
    @now += milliseconds
  end
end

# The offline launch-draft partner service, contract partner-preview-1.
# Every rule and every free choice sits in a small method of its own, so that a
# variant is a subclass with one of them changed.
class Service
  # Ends a request with an error envelope.
  class Refusal < StandardError
    attr_reader :status, :code

    def initialize(status, code)
      super(code)
      @status = status
      @code = code
    end
  end

  Challenge = Struct.new(:id, :creator, :message, :issued_at, :expires_at)
  Session = Struct.new(:token_hash, :creator, :expires_at)
  StoredDraft = Struct.new(:creator, :digest, :body, :built_at)

  MAX_BODY = 16 * 1024
  CHALLENGE_MS = 60_000
  SESSION_MS = 3_600_000
  RETRY_MS = 30_000
  RATE_MS = 60_000
  RATE_BUILDS = 5
  RESERVE = 1_000_000

  LAUNCH_FIELDS = %w[creator mint name symbol uri].freeze
  BASE58_TEXT = /\A[1-9A-HJ-NP-Za-km-z]{32,44}\z/
  KEY_TEXT = /\A[A-Za-z0-9_-]{8,64}\z/
  SIGNATURE_TEXT = %r{\A[A-Za-z0-9+/]{86}==\z}

  def self.fixture_key(label)
    Base58.encode(Digest::SHA256.digest("fixture key: #{label}"))
  end

  PLATFORM = fixture_key("platform")
  FEE_WALLET = fixture_key("fee wallet")
  WITHDRAW_AUTHORITY = fixture_key("withdraw authority")
  OPERATOR = fixture_key("operator")
  TERMS_HASH = Digest::SHA256.hexdigest("demo terms, not a launch agreement")

  def self.metadata_hosts = ["pins.gateway-one.example", "two.mirror.example"]
  def self.capacity = { challenges: 1500, sessions: 1100, drafts: 2300 }
  def self.capabilities = { clock: "virtual", restart: true, rawBody: true, concurrency: true }

  def self.facts
    { metadataHosts: metadata_hosts, operatorKey: OPERATOR, signedBytes: "utf8", capacity: capacity }
  end

  def initialize(clock)
    @clock = clock
    @started_at = clock.now
    @lock = Mutex.new
    @challenges = {}
    @sessions = {}
    @drafts = {}
    @builds = Hash.new { |all, creator| all[creator] = [] }
  end

  # request: method, path, body (bytes or nil), bearer, key. Answers [status, body].
  def handle(request)
    [200, respond(request)]
  rescue Refusal => e
    [e.status, error_body(e.code)]
  end

  # What a client signs for a challenge message.
  def proof_bytes(message)
    message.b
  end

  private

  def now = @clock.now

  def refuse(status, code)
    raise Refusal.new(status, code)
  end

  def error_body(code)
    { code: code, productionApproved: false }
  end

  def exclusive(&block)
    @lock.synchronize(&block)
  end

  # ---- routes

  def respond(request)
    case route(request[:method], request[:path])
    when :platform then profile
    when :challenge then challenge(request)
    when :verify then verify(request)
    when :build then build(request)
    else refuse(404, "NO_EXECUTION_ENDPOINT")
    end
  end

  def route(method, path)
    case [method, path]
    when ["GET", "/v1/platform"] then :platform
    when ["POST", "/v1/auth/challenge"] then :challenge
    when ["POST", "/v1/auth/verify"] then :verify
    when ["POST", "/v1/launch/build"] then :build
    end
  end

  # ---- platform profile

  def wallets
    { platform: PLATFORM, feeWallet: FEE_WALLET, withdrawAuthority: WITHDRAW_AUTHORITY }
  end

  def profile
    {
      productionApproved: false, publicServer: false, mode: "OFFLINE_PROTOTYPE", **wallets,
      termsHash: TERMS_HASH, termsStatus: "DEMO_NOT_A_LAUNCH_AGREEMENT", creatorBpsImplemented: 5000,
      proofOfCreator: "Ed25519 over the challenge message, made by the client"
    }
  end

  # ---- challenge

  def challenge(request)
    check_size(request[:body])
    fields = read_object(request[:body], "INVALID_DEMO_TERMS_OR_FIELDS")
    only_fields(fields, %w[creator termsHash], "INVALID_DEMO_TERMS_OR_FIELDS")
    creator = fields["creator"]
    public_key?(creator) or refuse(400, "INVALID_CREATOR")
    fields["termsHash"] == TERMS_HASH or refuse(400, "INVALID_DEMO_TERMS_OR_FIELDS")

    issued = issue_challenge(creator)
    { id: issued.id, expiresAt: stamp(issued.expires_at), message: issued.message, productionApproved: false }
  end

  def issue_challenge(creator)
    exclusive do
      make_room(@challenges, :challenges)
      id = new_challenge_id(creator)
      expires_at = now + CHALLENGE_MS
      @challenges[id] = Challenge.new(id, creator, message_for(id, creator, expires_at), now, expires_at)
    end
  end

  def new_challenge_id(_creator)
    SecureRandom.hex(24)
  end

  def message_for(id, creator, expires_at)
    "offline-demo|nonce=#{id}|terms=#{TERMS_HASH}|until=#{stamp(expires_at)}|creator=#{creator}"
  end

  def stamp(milliseconds)
    utc(milliseconds).strftime("%Y-%m-%dT%H:%M:%S.%6N+00:00")
  end

  def utc(milliseconds)
    Time.at(milliseconds / 1000, milliseconds % 1000, :millisecond).utc
  end

  # ---- proof and session

  def verify(request)
    check_size(request[:body])
    fields = read_object(request[:body], "INVALID_FIELDS")
    only_fields(fields, %w[id signatureBase64], "INVALID_FIELDS")
    id = fields["id"]
    id.is_a?(String) && id.match?(/\A[a-f0-9]{48}\z/) or refuse(400, "INVALID_FIELDS")
    signature = read_signature(fields["signatureBase64"]) or refuse(400, "INVALID_FIELDS")

    answer_proof(id, signature)
  end

  def answer_proof(id, signature)
    challenge = take_challenge(id)
    challenge && alive?(challenge) or refuse(401, "EXPIRED_OR_USED_CHALLENGE")
    proof_valid?(challenge, signature) or refuse(401, "INVALID_PROOF")

    bearer, session = open_session(challenge)
    { scope: "offline:launch-draft", bearer: bearer, expiresAt: session_stamp(session.expires_at),
      productionApproved: false }
  end

  def read_signature(text)
    return unless text.is_a?(String) && text.match?(SIGNATURE_TEXT)

    text.unpack1("m0")
  rescue ArgumentError
    nil
  end

  # Out of the store in one step: whoever gets it is the only one.
  def take_challenge(id)
    exclusive { @challenges.delete(id) }
  end

  def alive?(challenge)
    now <= challenge.expires_at
  end

  def proof_valid?(challenge, signature)
    Ed25519.valid?(Base58.decode(challenge.creator), proof_bytes(challenge.message), signature)
  end

  def open_session(challenge)
    bearer = new_bearer(challenge.creator)
    exclusive do
      make_room(@sessions, :sessions)
      session = Session.new(token_hash(bearer), challenge.creator, session_expiry(challenge))
      @sessions[session.token_hash] = session
      [bearer, session]
    end
  end

  def new_bearer(_creator)
    "draftpass-#{Base58.encode(SecureRandom.bytes(32))}"
  end

  def token_hash(bearer)
    Digest::SHA512.digest(bearer)
  end

  def session_expiry(_challenge)
    now + SESSION_MS
  end

  def session_stamp(milliseconds)
    stamp(milliseconds)
  end

  def authorize(bearer)
    session = bearer.is_a?(String) ? find_session(bearer) : nil
    session && now < session.expires_at or refuse(401, "UNAUTHORIZED")
    session
  end

  def find_session(bearer)
    exclusive { @sessions[token_hash(bearer)] }
  end

  # ---- build

  def build(request)
    session = authorize(request[:bearer])
    key = checked_key(request[:key])
    check_size(request[:body])
    draft_for(session, key, checked_launch(request[:body], session))
  end

  def checked_key(key)
    key.is_a?(String) && key.b.match?(KEY_TEXT) or refuse(400, key ? malformed_key_code : "IDEMPOTENCY_REQUIRED")
    key
  end

  def malformed_key_code = "IDEMPOTENCY_REQUIRED"

  def checked_launch(body, session)
    fields = read_object(body, extra_fields_code)
    only_fields(fields, LAUNCH_FIELDS, extra_fields_code)
    check_binding(fields, session)
    check_launch(fields)
  end

  def extra_fields_code = "CREATOR_BINDING_OR_FIELDS"

  def check_binding(fields, session)
    fields["creator"] == session.creator or refuse(400, "CREATOR_BINDING_OR_FIELDS")
  end

  def check_launch(fields)
    mint_key?(fields["mint"]) or refuse(400, "INVALID_FIELDS")
    text_within?(fields["name"], 32) && text_within?(fields["symbol"], 10) && text_within?(fields["uri"], 200) or
      refuse(400, "INVALID_FIELDS")
    check_uri(fields["uri"])
    mint_clashes?(fields["mint"], fields["creator"]) and refuse(400, mint_clash_code)
    fields
  end

  def text_within?(text, bytes)
    text.is_a?(String) && text.bytesize.between?(1, bytes)
  end

  def mint_clashes?(mint, creator)
    [creator, OPERATOR].include?(mint)
  end

  def mint_clash_code = "CANONICAL_BUILD_REJECTED"

  def check_uri(uri)
    uri.start_with?("https://") or refuse(400, "METADATA_URL")
    unless allowed_host?(uri)
      authority = uri.delete_prefix("https://")[%r{\A[^/?#]*}]
      refuse(400, authority.match?(/[@:]/) ? authority_code : "METADATA_HOST")
    end
    refuse(400, "METADATA_URL") if uri.include?("#") || uri.match?(/[[:space:][:cntrl:]]/)
  end

  def allowed_host?(uri)
    self.class.metadata_hosts.any? { |host| uri.start_with?("https://#{host}/") }
  end

  def authority_code = "METADATA_URL"

  # ---- drafts

  def draft_for(session, key, launch)
    exclusive do
      slot = draft_slot(session, key)
      known = @drafts[slot]
      return replay(known, launch) if known

      admit(launch["creator"])
      store_draft(slot, launch).body
    end
  end

  def draft_slot(session, key)
    [session.creator, key]
  end

  def replay(known, launch)
    known.digest == input_digest(launch) or refuse(409, "IDEMPOTENCY_CONFLICT")
    now - known.built_at <= RETRY_MS or refuse(409, "REBUILD_WITH_NEW_KEY")
    known.body
  end

  # Length before each value, so that no two inputs read alike.
  def input_digest(launch)
    Digest::SHA256.digest(LAUNCH_FIELDS.map { |name| "#{launch[name].bytesize}:#{launch[name]}" }.join.b)
  end

  # Five places for each creator, each free again a minute after its build.
  def admit(creator)
    @builds[creator].reject! { |at| at <= now - RATE_MS }
    @builds[creator].size < RATE_BUILDS or refuse(429, "OFFLINE_RATE_LIMIT")
    @drafts.size < self.class.capacity[:drafts] or refuse(429, "OFFLINE_CAPACITY")
    @builds[creator] << now
  end

  # An expired draft keeps its place: its key stays spent.
  def store_draft(slot, launch)
    @drafts[slot] = StoredDraft.new(launch["creator"], input_digest(launch), assemble(launch), now)
  end

  def assemble(launch)
    message = transaction_message(launch)
    {
      mode: "OFFLINE_PROTOTYPE", fixtureOnly: true, sendable: false, placeholderBlockhash: true,
      productionApproved: false, expiresAt: draft_expiry, **wallets,
      requiredSigners: required_signers(launch), messageHash: message_hash(message),
      unsignedTransactionBase64: ["\x02".b + "\0".b * 128 + message].pack("m0"),
      cost: cost(launch), metadataPublicationVerified: false, currentBalanceVerified: false,
      nextGate: "READ_ONLY_SIMULATION_BEFORE_ANY_SUBMISSION"
    }
  end

  # On the fixture's own clock, which began with the service.
  def draft_expiry
    now - @started_at + RETRY_MS
  end

  def required_signers(launch)
    [launch["creator"], launch["mint"]]
  end

  def message_hash(message)
    Digest::SHA256.hexdigest(message)
  end

  # Header, keys, a blockhash of zeros and one instruction with the texts.
  def transaction_message(launch)
    keys = [launch["creator"], launch["mint"], *wallets.values].map { |key| Base58.decode(key) }
    texts = launch.values_at("name", "symbol", "uri").map { |text| [text.bytesize].pack("S<") + text.b }.join
    [2, 0, 3, keys.size].pack("C4") + keys.join + "\0".b * 32 +
      [1, 2, keys.size, *(0...keys.size), texts.bytesize].pack("C#{keys.size + 3}S<") + texts
  end

  def account_sizes(launch)
    metadata = launch.values_at("name", "symbol", "uri").sum(&:bytesize)
    { "pool" => 424, "mint" => 234 + metadata, "baseVault" => 165, "quoteVault" => 165 }
  end

  def network_fee = 10_000

  def cost(launch)
    accounts = account_sizes(launch).map do |kind, bytes|
      { kind: kind, bytes: bytes, historicalRentLamports: (bytes + 128) * 6960 }
    end
    minimum = accounts.sum { |account| account[:historicalRentLamports] } + network_fee
    { basis: "HISTORICAL_RENT_NOT_CURRENT_RPC_QUOTE", accounts: accounts, networkFeeLamports: network_fee,
      minimumLamports: minimum, reserveLamports: RESERVE, recommendedLamports: recommended(minimum) }
  end

  def recommended(minimum)
    minimum + RESERVE
  end

  # ---- reading

  def check_size(body)
    body.to_s.bytesize <= MAX_BODY or refuse(413, "BODY_TOO_LARGE")
  end

  def read_object(body, other_code)
    value = read_json(body.to_s)
    value.is_a?(Hash) or refuse(400, non_object_code(other_code))
    value
  rescue StrictJson::Malformed
    refuse(400, "INVALID_JSON_BODY")
  end

  def read_json(text)
    StrictJson.parse(text)
  end

  def non_object_code(_fields_code) = "INVALID_JSON_BODY"

  def only_fields(fields, names, code)
    fields.keys.sort == names.sort or refuse(400, code)
  end

  def public_key?(text)
    text.is_a?(String) && text.match?(BASE58_TEXT) && decode_key(text)&.bytesize == 32
  end

  def mint_key?(text)
    public_key?(text)
  end

  def decode_key(text)
    Base58.decode(text)
  end

  # ---- bounds

  # Called under the lock: drops what has expired, then refuses if still full.
  def make_room(store, kind)
    bound = self.class.capacity[kind]
    store.delete_if { |_, entry| now > entry.expires_at } if store.size >= bound
    store.size < bound or refuse(429, "OFFLINE_CAPACITY")
  end
end
