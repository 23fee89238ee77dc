# frozen_string_literal: true

require "json"
require "openssl"

module Variants
  # ---------------------------------------------------------------- timestamps

  legal "time-epoch-number", "challenge",
        "the wire format of expiresAt is not shown: milliseconds since the epoch as a number" do
    def stamp(milliseconds) = milliseconds
  end

  legal "time-epoch-text", "challenge",
        "the wire format of expiresAt is not shown: milliseconds since the epoch as a string" do
    def stamp(milliseconds) = milliseconds.to_s
  end

  legal "time-decimal-seconds", "challenge",
        "the wire format of expiresAt is not shown: seconds since the epoch with a fraction" do
    def stamp(milliseconds) = milliseconds / 1000.0
  end

  legal "time-far-offset", "challenge",
        "the wire format of expiresAt is not shown: ISO 8601 in the local time of a zone 5:45 ahead" do
    def stamp(milliseconds)
      utc(milliseconds).localtime("+05:45").strftime("%Y-%m-%dT%H:%M:%S.%L%:z")
    end
  end

  legal "time-ordinal-basic", "session",
        "the wire format of expiresAt is not shown: ISO 8601 basic form with the day of the year" do
    def stamp(milliseconds)
      utc(milliseconds).strftime("%Y%jT%H%M%S.%LZ")
    end
  end

  legal "time-week-date", "session",
        "the wire format of expiresAt is not shown: ISO 8601 week date, with the week's year" do
    def stamp(milliseconds)
      utc(milliseconds).strftime("%G-W%V-%uT%H:%M:%S.%LZ")
    end
  end

  legal "time-decimal-comma", "session",
        "the wire format of expiresAt is not shown: ISO 8601 with its decimal comma and nanoseconds" do
    def stamp(milliseconds)
      utc(milliseconds).strftime("%Y-%m-%dT%H:%M:%S,%9NZ")
    end
  end

  # ---------------------------------------------------------------- message and what is signed

  legal "message-json", "challenge",
        "the text layout of the message is not shown: a JSON object" do
    def message_for(id, creator, expires_at)
      JSON.generate(aud: "offline-demo", exp: stamp(expires_at), sub: creator, terms: Service::TERMS_HASH, jti: id)
    end
  end

  legal "message-crlf", "challenge",
        "the text layout of the message is not shown: lines that end in CR LF, below a title that is not ASCII" do
    def message_for(id, creator, expires_at)
      ["Créateur ✎ preuve", "", creator, "offline-demo", Service::TERMS_HASH, stamp(expires_at), id, ""].join("\r\n")
    end
  end

  legal "signed-hash", "authentication",
        "the byte sequence that is signed is not shown: the SHA-256 of the message's UTF-8" do
    def self.facts = super.merge(signedBytes: "sha256")

    def proof_bytes(message)
      Digest::SHA256.digest(message)
    end
  end

  legal "signed-with-domain", "authentication",
        "the byte sequence that is signed is not shown: the message behind a domain mark that is not UTF-8" do
    def self.facts = super.merge(signedBytes: "adapter")

    def proof_bytes(message)
      "\xFFoffline proof\0".b + [message.bytesize].pack("N") + message.b
    end
  end

  legal "bearer-punctuated", "session",
        "the format of the bearer is not shown: a long token with every mark that RFC 6750 lets in" do
    def new_bearer(creator)
      "v1~#{creator}.#{Array.new(6) { SecureRandom.alphanumeric(40) }.join("-_+/")}=="
    end
  end

  # ---------------------------------------------------------------- codes where several fit

  legal "code-mint-clash", "errors",
        "which 400 tells that the mint is the creator or the operator key is not shown: INVALID_FIELDS fits" do
    def mint_clash_code = "INVALID_FIELDS"
  end

  legal "code-extra-fields", "errors",
        "which 400 tells of a sixth field is not shown: INVALID_FIELDS fits as well as the binding code" do
    def extra_fields_code = "INVALID_FIELDS"
  end

  legal "code-port-as-host", "errors",
        "which of the two metadata codes tells of a port or credentials is not shown: METADATA_HOST fits" do
    def authority_code = "METADATA_HOST"
  end

  legal "code-malformed-key", "errors",
        "only a missing key has its code; for one that is there but malformed INVALID_FIELDS fits" do
    def malformed_key_code = "INVALID_FIELDS"
  end

  legal "code-no-object", "errors",
        "a body that is well-formed JSON but no object may be told by the code for the fields" do
    def non_object_code(fields_code) = fields_code
  end

  legal "duplicates-refused", "errors",
        "how two members with one name are read is not shown: refused as no proper JSON body" do
    def read_json(text) = StrictJson.parse(text, duplicates: :refuse)
  end

  legal "duplicates-first", "endpoints",
        "how two members with one name are read is not shown: the first counts, for every rule alike" do
    def read_json(text) = StrictJson.parse(text, duplicates: :first)
  end

  legal "body-before-bearer", "errors",
        "which code precedes is not shown: the body's size, form and values are judged before key and bearer" do
    def build(request)
      check_size(request[:body])
      fields = read_object(request[:body], extra_fields_code)
      only_fields(fields, Service::LAUNCH_FIELDS, extra_fields_code)
      check_launch(fields)
      key = checked_key(request[:key])
      session = authorize(request[:bearer])
      check_binding(fields, session)
      draft_for(session, key, fields)
    end
  end

  # ---------------------------------------------------------------- draft

  legal "hash-sha3", "draft",
        "messageHash is 64 hex characters; the algorithm is not shown: SHA3-256" do
    def message_hash(message)
      OpenSSL::Digest.new("SHA3-256").hexdigest(message)
    end
  end

  legal "versioned-message", "draft",
        "the transaction's layout beyond its two zero signatures is not shown: a version byte and no lookup tables" do
    def transaction_message(launch)
      "\x80".b + super + "\0".b
    end
  end

  legal "draft-expiry-constant", "draft",
        "the draft's expiresAt is an integer of a synthetic clock and unusable: the same small number always" do
    def draft_expiry = 30
  end

  legal "costs-otherwise", "draft",
        "the figures and the order of accounts are not shown: reversed order, other sizes, another fee" do
    def account_sizes(launch)
      { "quoteVault" => 170, "baseVault" => 170, "mint" => 82, "pool" => 1112 + (launch["uri"].bytesize * 2) }
    end

    def network_fee = 25_000
  end

  # ---------------------------------------------------------------- bounds, fixtures, transport

  legal "bounds-tiny", "limits",
        "the size of the bound is not shown: three challenges, two sessions, six drafts",
        undecided: "What takes more sessions or drafts at once than there is room for cannot be tried." do
    def self.capacity = { challenges: 3, sessions: 2, drafts: 6 }
  end

  legal "bounds-huge", "limits",
        "the size of the bound is not shown: a quarter of a million of each" do
    def self.capacity = { challenges: 250_000, sessions: 250_000, drafts: 250_000 }
  end

  legal "bounds-untold", "limits",
        "the size of the bound is not shown, and the adapter need not tell it: some tens of each" do
    def self.capacity = { challenges: 45, sessions: 33, drafts: 71 }
    def self.facts = super.reject { |name, _| name == :capacity }
  end

  legal "hosts-nested", "launch request",
        "the two gateway hosts are placeholders: here one ends in the other" do
    def self.metadata_hosts = ["gw.example", "ipfs.gw.example"]
  end

  legal "keys-with-zeros", "platform",
        "the fixed public keys are any base58 keys: one is 32 zero bytes, another begins with ones" do
    def wallets
      { platform: "1" * 32, feeWallet: Base58.encode("\0\0\0".b + "\xA7".b * 29),
        withdrawAuthority: Service::WITHDRAW_AUTHORITY }
    end
  end

  legal "one-at-a-time", "service",
        "the handler is called in process and nothing asks for requests in flight together: one after another",
        undecided: "What only requests in flight show cannot be tried." do
    def self.capabilities = super.merge(concurrency: false)
  end
end
