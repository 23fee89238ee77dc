// Skeleton of an adapter for the conformance kit: JSON-RPC 2.0, one message a line, .NET 8 or later and nothing else.
// Fill in parts 1 and 2.

using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;

// ---- 1. YOUR SERVICE: replace what stands here.

/// <summary>A service with empty state. It reads no other clock than the one it is given.</summary>
public sealed class Service
{
    private readonly Func<long> nowMs; // Milliseconds since the Unix epoch.
    private readonly object gate = new object(); // Lock it where requests share something: several are answered at once.

    public Service(Func<long> nowMs)
    {
        this.nowMs = nowMs;
    }

    /// <summary>Gives the status, and what System.Text.Json makes the body of.</summary>
    public Task<Envelope> Handle(Request request)
    {
        if (request.Method == "GET" && request.Path == "/v1/platform")
        {
            return Task.FromResult(new Envelope(200, new { mode = "OFFLINE_PROTOTYPE", productionApproved = false }));
        }
        return Task.FromResult(new Envelope(404, new { code = "NO_EXECUTION_ENDPOINT", productionApproved = false }));
    }
}

// ---- 2. WHAT THE KIT CANNOT SEE: replace what is not so.
// "capabilities": what is left out by one, the kit accepts by name: --allow-untried capability:concurrency. "instances" is
// how many services may live side by side, which is how the kit hides the time that requests take.
// "facts": your two metadata hosts; "operatorKey", "signedBytes" and "capacity" may be added. Clients sign the message of a
// challenge as UTF-8 unless "signedBytes" says "hex", "base64", "sha256", or "adapter": then answer the method
// "bytesToSign", whose params are {"message"}, with {"base64"} of those bytes.

public static class About
{
    public static readonly object Value = new
    {
        protocol = 1,
        implementation = new { name = "my-service", version = "0.0.0", language = "C#" },
        capabilities = new { clock = "virtual", restart = true, rawBody = true, concurrency = true, instances = 16 },
        facts = new { metadataHosts = new[] { "metadata-one.example", "metadata-two.example" } },
    };
}

// ---- 3. THE PROTOCOL: stays as it is.

/// <summary>What a client sent: the body as its exact bytes. What was not sent is null.</summary>
public sealed class Request
{
    public string Method { get; set; }
    public string Path { get; set; }
    public byte[] Body { get; set; }
    public string Bearer { get; set; }
    public string IdempotencyKey { get; set; }
}

/// <summary>The answer: an HTTP status, and the value of the body.</summary>
public sealed class Envelope
{
    public Envelope(int status, object body)
    {
        Status = status;
        Body = body;
    }

    public int Status { get; }
    public object Body { get; }
}

/// <summary>A message that is answered with an error.</summary>
public sealed class RpcException : Exception
{
    public RpcException(int code, string message) : base(message)
    {
        Code = code;
    }

    public int Code { get; }
}

public static class Program
{
    private const int ParseError = -32700;
    private const int NoMethod = -32601;
    private const int InvalidParams = -32602;
    private const int InternalError = -32603;
    private const long LastMs = 253402214400000;

    private static readonly Stream Out = Console.OpenStandardOutput();
    private static readonly Dictionary<string, Instance> Instances = new Dictionary<string, Instance>(); // By the names that start gave.

    /// <summary>A service on a clock of its own, and its requests that are not answered yet.</summary>
    private sealed class Instance
    {
        public readonly Service Service;
        public List<Task> UnderWay = new List<Task>();
        private long clockMs;

        public Instance(long startMs)
        {
            clockMs = startMs;
            Service = new Service(() => ClockMs);
        }

        public long ClockMs
        {
            get { return Interlocked.Read(ref clockMs); }
            set { Interlocked.Exchange(ref clockMs, value); }
        }
    }

    public static void Main()
    {
        Console.SetOut(Console.Error); // A stray WriteLine belongs in the log, not among the answers.
        ThreadPool.SetMinThreads(32, 32);
        var lines = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        string line;
        while ((line = lines.ReadLine()) != null)
        {
            object id;
            string method;
            JsonElement parameters;
            Instance instance;
            try
            {
                using (var message = JsonDocument.Parse(line))
                {
                    id = Member(message.RootElement, "id")?.Clone();
                    method = message.RootElement.GetProperty("method").GetString();
                    parameters = (Member(message.RootElement, "params") ?? JsonDocument.Parse("{}").RootElement).Clone();
                    Instances.TryGetValue(Text(parameters, "service") ?? "", out instance);
                }
            }
            catch (Exception error) when (error is JsonException || error is InvalidOperationException || error is KeyNotFoundException)
            {
                Write(null, "error", Failure(ParseError, "the line is no request in JSON"));
                continue;
            }
            if (method == "handle" && instance != null) // Requests are answered as they are done.
            {
                instance.UnderWay.RemoveAll(one => one.IsCompleted);
                instance.UnderWay.Add(Task.Run(() => Reply(id, () => Handle(instance, parameters))));
                continue;
            }
            if (instance != null) Task.WaitAll(instance.UnderWay.ToArray()); // Every other message to a service waits for them.
            Reply(id, () => Task.FromResult(Answer(method, parameters))).Wait();
            if (method == "shutdown") break;
        }
    }

    private static async Task Reply(object id, Func<Task<object>> work)
    {
        try
        {
            Write(id, "result", await work());
        }
        catch (RpcException error)
        {
            Write(id, "error", Failure(error.Code, error.Message));
        }
        catch (Exception error)
        {
            Console.Error.WriteLine(error);
            Write(id, "error", Failure(InternalError, "the service failed: " + error.Message));
        }
    }

    private static async Task<object> Handle(Instance instance, JsonElement parameters)
    {
        var text = Text(parameters, "body");
        var encoded = Text(parameters, "bodyBase64");
        var request = new Request
        {
            Method = Text(parameters, "method"),
            Path = Text(parameters, "path"),
            Body = encoded != null ? Convert.FromBase64String(encoded) : text != null ? Encoding.UTF8.GetBytes(text) : null,
            Bearer = Text(parameters, "bearer"),
            IdempotencyKey = Text(parameters, "idempotencyKey"),
        };
        var envelope = await instance.Service.Handle(request);
        return new { status = envelope.Status, body = envelope.Body };
    }

    private static object Answer(string method, JsonElement parameters)
    {
        switch (method)
        {
            case "initialize":
                return About.Value;
            case "start": // A new service, or one in the place of the one that is named.
                var name = Text(parameters, "service");
                if (name != null) InstanceOf(parameters);
                name = name ?? "service-" + (Instances.Count + 1);
                Instances[name] = new Instance(Moment(0, parameters, "nowMs"));
                return new { service = name };
            case "advance":
                var instance = InstanceOf(parameters);
                instance.ClockMs = Moment(instance.ClockMs, parameters, "ms");
                return new { nowMs = instance.ClockMs };
            case "handle": // Of a service that there is, it is answered beside this.
                return InstanceOf(parameters);
            case "shutdown":
                return new { };
            default:
                throw new RpcException(NoMethod, "no method \"" + method + "\"");
        }
    }

    private static Instance InstanceOf(JsonElement parameters)
    {
        var name = Text(parameters, "service");
        if (Instances.TryGetValue(name ?? "", out var found)) return found;
        throw new RpcException(InvalidParams, "no service \"" + name + "\": start gives the name of one");
    }

    private static long Moment(long from, JsonElement parameters, string name)
    {
        var given = Member(parameters, name);
        if (given?.ValueKind == JsonValueKind.Number && given.Value.TryGetInt64(out var ms) && ms >= 0 && ms <= LastMs - from)
        {
            return from + ms;
        }
        throw new RpcException(InvalidParams, name + " must be milliseconds, and clocks end with the year 9999");
    }

    private static JsonElement? Member(JsonElement element, string name)
    {
        return element.TryGetProperty(name, out var found) && found.ValueKind != JsonValueKind.Null ? found : (JsonElement?)null;
    }

    private static string Text(JsonElement element, string name)
    {
        return Member(element, name)?.GetString();
    }

    private static object Failure(int code, string message)
    {
        return new { code, message };
    }

    private static void Write(object id, string outcome, object value)
    {
        var message = new Dictionary<string, object> { { "jsonrpc", "2.0" }, { "id", id }, { outcome, value } };
        var line = JsonSerializer.SerializeToUtf8Bytes(message);
        lock (Out)
        {
            Out.Write(line, 0, line.Length);
            Out.WriteByte((byte)'\n');
            Out.Flush();
        }
    }
}
