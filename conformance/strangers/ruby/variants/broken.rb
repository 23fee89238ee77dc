# frozen_string_literal: true

require "json"
require "openssl"

module Variants
  # ---------------------------------------------------------------- errors, endpoints

  broken "rate-error-bare", "errors",
         "every error states productionApproved: false; the rate limit's answer carries only its code" do
    def error_body(code)
      code == "OFFLINE_RATE_LIMIT" ? { code: code } : super
    end
  end

  broken "prefix-routing", "endpoints",
         "a route that would send does not exist and answers 404; here whatever lies below the build path is taken for a build" do
    def route(method, path)
      method == "POST" && path.to_s.start_with?("/v1/launch/build/") ? :build : super
    end
  end

  legal "stale-bearer-on-public", "authentication",
        "the public endpoints need no bearer, and an unknown or expired one gives 401: here one that is present is looked at there, too" do
    def respond(request)
      public_route = %i[platform challenge verify].include?(route(request[:method], request[:path]))
      authorize(request[:bearer]) if public_route && request[:bearer]
      super
    end
  end

  # ---------------------------------------------------------------- challenge

  broken "id-unpadded", "challenge",
         "the id has 48 hex characters; a nonce that begins with zero digits is printed without them" do
    def new_challenge_id(_creator)
      SecureRandom.random_number(1 << 192).to_s(16)
    end
  end

  broken "id-from-clock", "challenge",
         "the id is a one-time one from a random nonce; here two challenges for a creator in one millisecond share it" do
    def new_challenge_id(creator)
      Digest::SHA256.hexdigest("#{creator}@#{now}")[0, 48]
    end
  end

  broken "message-terms-cut", "challenge",
         "the message contains the terms hash; here only its first sixteen characters" do
    def message_for(id, creator, expires_at)
      super.sub(Service::TERMS_HASH, Service::TERMS_HASH[0, 16])
    end
  end

  broken "challenge-grace", "challenge",
         "a challenge older than 60 seconds is refused; here three quarters of a second are forgiven" do
    def alive?(challenge)
      now <= challenge.expires_at + 750
    end
  end

  # ---------------------------------------------------------------- proof

  broken "zero-signature-spares", "states",
         "a bad proof consumes its challenge; here a signature of zeros is refused before the challenge is taken" do
    def answer_proof(id, signature)
      known = exclusive { @challenges[id] }
      refuse(401, "INVALID_PROOF") if known && alive?(known) && signature.count("\0") == 64
      super
    end
  end

  broken "signature-first-64", "verify",
         "signatureBase64 holds a 64-byte signature; here longer data is cut to its first 64 bytes" do
    def read_signature(text)
      return unless text.is_a?(String)

      bytes = text.unpack1("m0")
      bytes.byteslice(0, 64) if bytes.bytesize >= 64
    rescue ArgumentError
      nil
    end
  end

  broken "proof-remembered", "authentication",
         "the proof is of this challenge's message; here a creator's signature that was valid once is believed for later challenges" do
    def proof_valid?(challenge, signature)
      proofs = exclusive { @proofs ||= {} }
      return true if proofs[signature] == challenge.creator

      super.tap { |valid| proofs[signature] = challenge.creator if valid }
    end
  end

  broken "used-list-trimmed", "states",
         "a challenge is single-use; here the list of used ones holds the last 48 and an older one works again" do
    def take_challenge(id)
      exclusive do
        @used ||= []
        next nil if @used.include?(id)

        @used << id
        @used.shift if @used.size > 48
        @challenges[id]
      end
    end
  end

  broken "verify-race", "states",
         "a challenge is single-use; here it is looked up and removed in two steps, so that proofs in flight together all succeed" do
    def take_challenge(id)
      found = exclusive { @challenges[id] }
      sleep 0.005 if found # the store's round trip
      exclusive { @challenges.delete(id) }
      found
    end
  end

  # ---------------------------------------------------------------- session

  broken "session-from-challenge", "session",
         "a session lasts an hour from its own issue; here the hour begins with the challenge" do
    def session_expiry(challenge)
      challenge.issued_at + Service::SESSION_MS
    end
  end

  broken "session-midnight", "session",
         "a session lasts an hour; one issued after 23:00 UTC gets an expiry of the same day and is dead at once" do
    def session_expiry(_challenge)
      at = utc(now)
      hour = (at.hour + 1) % 24
      (Time.utc(at.year, at.month, at.day, hour, at.min, at.sec).to_i * 1000) + (now % 1000)
    end
  end

  broken "session-oldest-dropped", "limits",
         "a full store answers 429 OFFLINE_CAPACITY; here the oldest living session is dropped instead" do
    def self.capacity = super.merge(sessions: 60)

    def make_room(store, kind)
      store.shift if kind == :sessions && store.size >= self.class.capacity[:sessions]
      super
    end
  end

  broken "bearer-survives-restart", "states",
         "sessions are lost on restart; here the bearer is a signed text that any later service in the process believes" do
    seal = SecureRandom.bytes(32)

    define_method(:sealed) do |text|
      OpenSSL::HMAC.hexdigest("SHA256", seal, text)
    end

    def new_bearer(creator)
      text = "#{creator}.#{now + Service::SESSION_MS}.#{SecureRandom.hex(8)}"
      "#{text}.#{sealed(text)}"
    end

    def find_session(bearer)
      text, _, mark = bearer.rpartition(".")
      return unless mark == sealed(text)

      creator, expires_at, = text.split(".")
      Service::Session.new(token_hash(bearer), creator, expires_at.to_i)
    end
  end

  broken "replay-before-expiry-check", "authentication",
         "an expired bearer gives 401; here a retry of a stored draft is answered before the session's age is looked at" do
    def authorize(bearer)
      (bearer.is_a?(String) && find_session(bearer)) || super
    end

    def draft_for(session, key, launch)
      refuse(401, "UNAUTHORIZED") if now >= session.expires_at && !@drafts.key?(draft_slot(session, key))
      super
    end
  end

  # ---------------------------------------------------------------- bodies

  broken "body-limit-in-characters", "limits",
         "the limit is 16 KiB; here characters are counted, so that a body with long characters may be larger" do
    def check_size(body)
      text = body.to_s.dup.force_encoding(Encoding::UTF_8)
      text.length <= Service::MAX_BODY or refuse(413, "BODY_TOO_LARGE")
    end
  end

  broken "comments-in-json", "errors",
         "malformed JSON is INVALID_JSON_BODY; the standard library's reader takes comments and unknown escapes" do
    def read_json(text)
      JSON.parse(text.dup.force_encoding(Encoding::UTF_8))
    rescue JSON::ParserError, EncodingError => e
      raise StrictJson::Malformed, e.message
    end
  end

  broken "surrogates-apart", "launch request",
         "a name may have 32 UTF-8 bytes; a pair of \\u escapes is stored as two halves of three bytes each and so counts six" do
    def read_json(text)
      value = StrictJson.parse(text)
      return value unless value.is_a?(Hash)

      value.merge(StrictJson.parse(text, joined_pairs: false).slice("name", "symbol"))
    end
  end

  broken "duplicate-creator", "endpoints",
         "the creator that is built for must be the session's; here the first of two is checked and the last one is built" do
    def checked_launch(body, session)
      fields = read_object(body, extra_fields_code)
      only_fields(fields, Service::LAUNCH_FIELDS, extra_fields_code)
      check_binding(StrictJson.parse(body, duplicates: :first), session)
      public_key?(fields["creator"]) or refuse(400, "INVALID_FIELDS")
      check_launch(fields)
    end
  end

  # ---------------------------------------------------------------- base58

  broken "mint-cut-to-32", "launch request",
         "the mint decodes to 32 bytes; here one that decodes to 33 is cut" do
    def mint_key?(text)
      text.is_a?(String) && text.match?(Service::BASE58_TEXT) && Base58.decode(text).bytesize >= 32
    end

    def transaction_message(launch)
      super(launch.merge("mint" => Base58.encode(Base58.decode(launch["mint"]).byteslice(0, 32))))
    end
  end

  broken "leading-ones-dropped", "launch request",
         "a key may begin with zero bytes, written as ones; here these are lost and the key counts as too short" do
    def decode_key(text)
      Base58.decode(text.sub(/\A1+/, ""))
    end
  end

  broken "mint-compared-folded", "launch request",
         "the mint must differ from the creator; here one that differs by letter case alone is refused" do
    def mint_clashes?(mint, creator)
      [creator, Service::OPERATOR].any? { |other| other.casecmp?(mint) }
    end
  end

  # ---------------------------------------------------------------- metadata address

  legal "uri-at-sign", "launch request",
        "credentials are forbidden: here any @ is taken for them, even in the path" do
    def check_uri(uri)
      super
      refuse(400, "METADATA_URL") if uri.include?("@")
    end
  end

  broken "host-dot-unescaped", "launch request",
         "the host is one of two; here it is a pattern whose dots stand for any character" do
    def allowed_host?(uri)
      uri.match?(%r{\Ahttps://(?:#{self.class.metadata_hosts.join("|")})/})
    end
  end

  # ---------------------------------------------------------------- idempotency

  broken "key-line-anchors", "limits",
         "the whole key has 8 to 64 letters, digits, underscores and hyphens; here one of its lines is enough" do
    def checked_key(key)
      key.is_a?(String) && key.b.match?(/^[A-Za-z0-9_-]{8,64}$/) ? key : super
    end
  end

  broken "key-folded", "states",
         "a draft belongs to creator and key; here keys that differ by letter case are one" do
    def draft_slot(session, key)
      super(session, key.downcase)
    end
  end

  broken "digest-joined", "states",
         "changed input with a used key is a conflict; here the values are joined bare, and a letter moved from name to symbol goes unseen" do
    def input_digest(launch)
      Digest::SHA256.digest(launch.values_at(*Service::LAUNCH_FIELDS).join.b)
    end
  end

  broken "key-scoped-to-session", "states",
         "a key is spent for the creator; here a new session of the same creator may use it again" do
    def draft_slot(session, key)
      [session.token_hash, key]
    end
  end

  broken "retry-extends-window", "limits",
         "the retry window is 30 seconds from the draft; here each retry begins it anew" do
    def replay(known, launch)
      super.tap { known.built_at = now }
    end
  end

  legal "expired-draft-forgotten", "states",
        "how long a key is remembered is not shown: here ten minutes after its draft was built it is free again" do
    def draft_for(session, key, launch)
      exclusive { @drafts.delete_if { |_, draft| now - draft.built_at > 600_000 } }
      super
    end
  end

  broken "key-race", "states",
         "changed input with a used key is a conflict; here looking up and storing are two steps, and builds in flight together all succeed" do
    def draft_for(session, key, launch)
      slot = draft_slot(session, key)
      known = exclusive { @drafts[slot] }
      return replay(known, launch) if known

      exclusive { admit(launch["creator"]) }
      sleep 0.005 # the store's round trip
      exclusive { store_draft(slot, launch).body }
    end
  end

  # ---------------------------------------------------------------- builds per minute

  broken "rate-counts-living-drafts", "limits",
         "five new builds a minute; here drafts that have not expired are counted, and these live 30 seconds" do
    def admit(creator)
      @builds[creator].reject! { |at| now - at > Service::RETRY_MS }
      super
    end
  end

  broken "rate-shared-by-latecomers", "limits",
         "five builds a minute are for each creator; here those after the thirtieth creator share one count" do
    def admit(creator)
      super(@builds.key?(creator) || @builds.size < 30 ? creator : "others")
    end
  end

  broken "rate-race", "limits",
         "five new builds a minute; here counting and noting are two steps, and builds in flight together all pass" do
    def draft_for(session, key, launch)
      slot = draft_slot(session, key)
      exclusive do
        return replay(@drafts[slot], launch) if @drafts.key?(slot)

        refuse(429, "OFFLINE_CAPACITY") if @drafts.size >= self.class.capacity[:drafts]
        @drafts[slot] = Service::StoredDraft.new(launch["creator"], input_digest(launch), assemble(launch), now)
      end
      count_apart(slot, launch["creator"])
      exclusive { @drafts[slot].body }
    end

    def count_apart(slot, creator)
      recent = exclusive { @builds[creator].count { |at| at > now - Service::RATE_MS } }
      if recent >= Service::RATE_BUILDS
        exclusive { @drafts.delete(slot) }
        refuse(429, "OFFLINE_RATE_LIMIT")
      end
      sleep 0.005 # the counter's round trip
      exclusive { @builds[creator] << now }
    end
  end

  # ---------------------------------------------------------------- draft

  broken "full-store-refuses-retry", "limits",
         "within 30 seconds a retry gets its draft; here a full store is noticed before the stored draft is looked up" do
    def self.capacity = super.merge(drafts: 40)

    def draft_for(session, key, launch)
      refuse(429, "OFFLINE_CAPACITY") if @drafts.size >= self.class.capacity[:drafts]
      super
    end
  end

  broken "recommended-kept", "draft",
         "recommendedLamports is this draft's minimum plus the reserve; here the first draft's sum is kept for all" do
    def recommended(minimum)
      @recommended ||= super
    end
  end

  # ---------------------------------------------------------------- calendars

  broken "week-year", "challenge",
         "expiresAt is the issue time plus 60 seconds; here the year is that of the ISO week, another one around New Year" do
    def stamp(milliseconds)
      utc(milliseconds).strftime("%G-%m-%dT%H:%M:%S.%6N+00:00")
    end
  end

  broken "fraction-unpadded", "session",
         "expiresAt is the issue time plus the lifetime; here five milliseconds are written .5, which is half a second" do
    def stamp(milliseconds)
      utc(milliseconds).strftime("%Y-%m-%dT%H:%M:%S.#{milliseconds % 1000}+00:00")
    end
  end
end
