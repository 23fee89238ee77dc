// Stands in for System.Text.Json where there is Mono alone: as much of it as the skeleton of C# calls.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace System.Text.Json
{
    public sealed class JsonException : Exception
    {
        public JsonException(string message) : base(message)
        {
        }
    }

    public enum JsonValueKind
    {
        Object,
        Array,
        String,
        Number,
        True,
        False,
        Null,
    }

    public struct JsonElement
    {
        internal readonly object Value;

        internal JsonElement(object value)
        {
            Value = value;
        }

        public JsonValueKind ValueKind
        {
            get
            {
                if (Value == null) return JsonValueKind.Null;
                if (Value is bool) return (bool)Value ? JsonValueKind.True : JsonValueKind.False;
                if (Value is string) return JsonValueKind.String;
                if (Value is decimal) return JsonValueKind.Number;
                return Value is IDictionary ? JsonValueKind.Object : JsonValueKind.Array;
            }
        }

        public bool TryGetProperty(string name, out JsonElement found)
        {
            var members = Value as Dictionary<string, object>;
            if (members == null) throw new InvalidOperationException("not an object");
            object value;
            var there = members.TryGetValue(name, out value);
            found = new JsonElement(value);
            return there;
        }

        public JsonElement GetProperty(string name)
        {
            JsonElement found;
            if (!TryGetProperty(name, out found)) throw new KeyNotFoundException();
            return found;
        }

        public string GetString()
        {
            if (Value == null || Value is string) return (string)Value;
            throw new InvalidOperationException("not a string");
        }

        public bool TryGetInt64(out long number)
        {
            if (!(Value is decimal)) throw new InvalidOperationException("not a number");
            var given = (decimal)Value;
            var fits = given == decimal.Truncate(given) && given >= long.MinValue && given <= long.MaxValue;
            number = fits ? (long)given : 0;
            return fits;
        }

        public JsonElement Clone()
        {
            return this;
        }
    }

    public sealed class JsonDocument : IDisposable
    {
        private readonly string text;
        private int at;

        private JsonDocument(string text)
        {
            this.text = text;
            RootElement = new JsonElement(Value());
            Space();
            if (at < text.Length) throw new JsonException("more than one value");
        }

        public JsonElement RootElement { get; }

        public static JsonDocument Parse(string text)
        {
            return new JsonDocument(text);
        }

        public void Dispose()
        {
        }

        private object Value()
        {
            Space();
            if (Took('{'))
            {
                var members = new Dictionary<string, object>();
                for (Space(); !Took('}'); Space())
                {
                    if (members.Count > 0) Take(',');
                    Space();
                    var name = Text();
                    Space();
                    Take(':');
                    members[name] = Value();
                }
                return members;
            }
            if (Took('['))
            {
                var items = new List<object>();
                for (Space(); !Took(']'); Space())
                {
                    if (items.Count > 0) Take(',');
                    items.Add(Value());
                }
                return items;
            }
            return at < text.Length && text[at] == '"' ? Text() : Word();
        }

        private object Word()
        {
            var from = at;
            while (at < text.Length && ",]} \t\r\n".IndexOf(text[at]) < 0) at++;
            var word = text.Substring(from, at - from);
            if (word == "null") return null;
            if (word == "true" || word == "false") return word == "true";
            decimal number;
            if (decimal.TryParse(word, NumberStyles.Float, CultureInfo.InvariantCulture, out number)) return number;
            throw new JsonException("no value at " + from);
        }

        private string Text()
        {
            Take('"');
            var result = new StringBuilder();
            while (!Took('"'))
            {
                if (!Took('\\'))
                {
                    if (at == text.Length) throw new JsonException("a string does not end");
                    result.Append(text[at++]);
                    continue;
                }
                var escaped = text[at++];
                var plain = "\"\\/bfnrt".IndexOf(escaped);
                if (plain >= 0) result.Append("\"\\/\b\f\n\r\t"[plain]);
                else
                {
                    result.Append((char)Convert.ToInt32(text.Substring(at, 4), 16));
                    at += 4;
                }
            }
            return result.ToString();
        }

        private void Space()
        {
            while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) at++;
        }

        private bool Took(char wanted)
        {
            if (at == text.Length || text[at] != wanted) return false;
            at++;
            return true;
        }

        private void Take(char wanted)
        {
            if (!Took(wanted)) throw new JsonException("no " + wanted + " at " + at);
        }
    }

    public static class JsonSerializer
    {
        public static byte[] SerializeToUtf8Bytes(object value)
        {
            return Encoding.UTF8.GetBytes(Text(value));
        }

        private static string Text(object value)
        {
            if (value == null) return "null";
            if (value is JsonElement) return Text(((JsonElement)value).Value);
            if (value is string) return Quoted((string)value);
            if (value is bool) return (bool)value ? "true" : "false";
            if (value is IConvertible) return Convert.ToString(value, CultureInfo.InvariantCulture);
            var members = value as IDictionary<string, object>;
            if (members != null) return Object(members.Select(member => Member(member.Key, member.Value)));
            var items = value as IEnumerable;
            if (items != null) return "[" + string.Join(",", items.Cast<object>().Select(Text)) + "]";
            return Object(value.GetType().GetProperties().Select(property => Member(property.Name, property.GetValue(value))));
        }

        private static string Object(IEnumerable<string> members)
        {
            return "{" + string.Join(",", members) + "}";
        }

        private static string Member(string name, object value)
        {
            return Quoted(name) + ":" + Text(value);
        }

        private static string Quoted(string text)
        {
            Func<char, string> shown = c =>
                c == '"' || c == '\\' ? "\\" + c : c < ' ' || c > '~' ? "\\u" + ((int)c).ToString("x4") : c.ToString();
            return "\"" + string.Concat(text.Select(shown)) + "\"";
        }
    }
}
