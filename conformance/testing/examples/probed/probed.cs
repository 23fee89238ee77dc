/// <summary>Answers what is asked of it to see whether the adapter's statements hold (see PROBES).</summary>
public sealed class Service
{
    private readonly Func<long> nowMs;
    private readonly Barrier both = new Barrier(2);
    private int count;

    public Service(Func<long> nowMs)
    {
        this.nowMs = nowMs;
    }

    public Task<Envelope> Handle(Request request)
    {
        return Task.FromResult(new Envelope(200, Answer(request)));
    }

    private object Answer(Request request)
    {
        switch (request.Path)
        {
            case "/v1/platform":
                return JsonDocument.Parse("PROFILE_IN_APOSTROPHES".Replace('\'', '"')).RootElement;
            case "/together":
                both.SignalAndWait();
                return new { };
            case "/body":
                try
                {
                    return new { text = new UTF8Encoding(false, true).GetString(request.Body) };
                }
                catch (ArgumentException)
                {
                    return new { base64 = Convert.ToBase64String(request.Body) };
                }
            case "/sent":
                return new { body = request.Body != null, bearer = request.Bearer, idempotencyKey = request.IdempotencyKey };
            case "/clock":
                return new { nowMs = nowMs() };
            case "/count":
                return new { count = Interlocked.Increment(ref count) };
            default:
                Console.WriteLine("a stray line");
                throw new InvalidOperationException("the probe \"fails\"\n");
        }
    }
}

