# frozen_string_literal: true

require "openssl"

# Ed25519 verification through OpenSSL; the raw key is wrapped in its DER form.
module Ed25519
  SPKI_PREFIX = ["302a300506032b6570032100"].pack("H*").freeze

  module_function

  def valid?(public_key, message, signature)
    key = OpenSSL::PKey.read(SPKI_PREFIX + public_key)
    key.verify(nil, signature, message)
  rescue OpenSSL::PKey::PKeyError
    false
  end
end
