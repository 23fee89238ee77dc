# frozen_string_literal: true

# Bitcoin-style base58, as public keys are written.
module Base58
  ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
  DIGITS = ALPHABET.each_char.with_index.to_h.freeze

  module_function

  # The bytes of +text+, or nil where a character is outside the alphabet.
  def decode(text)
    number = 0
    text.each_char do |char|
      digit = DIGITS[char] or return nil
      number = number * 58 + digit
    end
    hex = number.zero? ? "" : number.to_s(16)
    hex = "0#{hex}" if hex.length.odd?
    ("\0" * text[/\A1*/].length).b + [hex].pack("H*")
  end

  def encode(bytes)
    number = bytes.unpack1("H*").to_i(16)
    digits = +""
    while number.positive?
      number, rest = number.divmod(58)
      digits << ALPHABET[rest]
    end
    "1" * bytes[/\A\0*/n].length + digits.reverse
  end
end
