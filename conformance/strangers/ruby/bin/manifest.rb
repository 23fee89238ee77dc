#!/usr/bin/env ruby
# frozen_string_literal: true

# Prints variants.yaml from the variants' own declarations.
require_relative "../lib/variants"

puts "# Started as: command --variant NAME (right is the name of the right service)", "command: ruby bin/adapter.rb", "right: right", "variants:"
Variants::ALL.each_value do |variant|
  puts "  - name: #{variant.name}", "    kind: #{variant.kind}", "    section: #{variant.section}",
       "    why: #{variant.why.inspect}"
  puts "    undecided: #{variant.undecided.inspect}" if variant.undecided
end
