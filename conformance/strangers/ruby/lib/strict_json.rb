# frozen_string_literal: true

require "strscan"

# JSON by RFC 8259 and nothing more: no comments, no unknown escapes, no lone
# surrogates. Nesting is kept on a list of its own, so depth costs no stack.
class StrictJson
  Malformed = Class.new(StandardError)

  ESCAPES = { '"' => '"', "\\" => "\\", "/" => "/", "b" => "\b", "f" => "\f",
              "n" => "\n", "r" => "\r", "t" => "\t" }.freeze
  WORDS = { "true" => true, "false" => false, "null" => nil }.freeze

  # duplicates: which of several members with one name counts (:last, :first),
  # or :refuse. joined_pairs: whether two \u escapes make one code point.
  def self.parse(text, duplicates: :last, joined_pairs: true)
    new(text, duplicates, joined_pairs).document
  end

  def initialize(text, duplicates, joined_pairs)
    text = text.dup.force_encoding(Encoding::UTF_8)
    raise Malformed, "not UTF-8" unless text.valid_encoding?

    @in = StringScanner.new(text)
    @duplicates = duplicates
    @joined_pairs = joined_pairs
  end

  def document
    open = []  # containers around the current one, each with its waiting name
    loop do
      value = opening(open)
      next if value.equal?(:opened)

      value = close_all(open, value)
      return value if open.empty?
    end
  end

  private

  # Reads one scalar or empty container, or opens a container.
  def opening(open)
    space
    if @in.skip(/\{/)
      space
      return {} if @in.skip(/\}/)

      open << [{}, name]
      :opened
    elsif @in.skip(/\[/)
      space
      return [] if @in.skip(/\]/)

      open << [[], nil]
      :opened
    else
      scalar
    end
  end

  # Puts a finished value where it belongs; answers the document at the end.
  def close_all(open, value)
    until open.empty?
      frame = open.last
      put(frame, value)
      space
      if @in.skip(/,/)
        frame[1] = name if frame[0].is_a?(Hash)
        return nil
      end
      @in.skip(frame[0].is_a?(Hash) ? /\}/ : /\]/) or fail!
      value = open.pop[0]
    end
    space
    @in.eos? or fail!
    value
  end

  def put(frame, value)
    into, name = frame
    return into << value if into.is_a?(Array)

    if into.key?(name)
      fail! if @duplicates == :refuse
      return if @duplicates == :first
    end
    into[name] = value
  end

  def name
    space
    found = string or fail!
    space
    @in.skip(/:/) or fail!
    found
  end

  def scalar
    if (text = string)
      text
    elsif (word = @in.scan(/true|false|null/))
      WORDS[word]
    elsif (number = @in.scan(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/))
      number.match?(/[.eE]/) ? number.to_f : number.to_i
    else
      fail!
    end
  end

  def string
    @in.skip(/"/) or return nil

    out = +""
    loop do
      plain = @in.scan(/[^"\\\u0000-\u001f]+/)
      out << plain if plain
      return out if @in.skip(/"/)

      @in.skip(/\\/) or fail!
      out << escape
    end
  end

  def escape
    unless @in.skip(/u/)
      return ESCAPES[@in.getch] || fail!
    end

    unit = four_hex
    return [unit].pack("U") unless unit.between?(0xD800, 0xDFFF)

    fail! unless unit < 0xDC00 && @in.skip(/\\u/)
    low = four_hex
    fail! unless low.between?(0xDC00, 0xDFFF)
    return [unit, low].pack("UU") unless @joined_pairs

    [0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)].pack("U")
  end

  def four_hex
    (@in.scan(/[0-9a-fA-F]{4}/) || fail!).to_i(16)
  end

  def space
    @in.skip(/[ \t\r\n]+/)
  end

  def fail!
    raise Malformed, "at byte #{@in.pos}"
  end
end
