# frozen_string_literal: true

require_relative "service"

# The named variants: each is the right service with one thing changed.
module Variants
  Variant = Struct.new(:name, :kind, :section, :why, :service, :undecided)

  ALL = {}

  module_function

  def broken(name, section, why, &change) = add(name, "broken", section, why, nil, change)

  # undecided: why a kit that is right gives no verdict on it
  def legal(name, section, why, undecided: nil, &change) = add(name, "legal", section, why, undecided, change)

  def add(name, kind, section, why, undecided, change)
    raise ArgumentError, "twice: #{name}" if ALL.key?(name)

    ALL[name] = Variant.new(name, kind, section, why, Class.new(Service, &change), undecided)
  end

  def service(name)
    return Service if name == "right"

    (ALL[name] or abort("no variant #{name}")).service
  end
end

require_relative "../variants/broken"
require_relative "../variants/legal"
