import { createClient } from "@redis/client";
import { messageOf } from "../lib/errors.ts";
import { type Log, maskUrl, type Secret } from "../lib/log.ts";
import { type Limits, openSlidingLog, WINDOW_MS } from "./limits.ts";

/** Longest wait for Redis before a request is decided here. */
const ANSWER_WITHIN_DEFAULT_MS = 100;
/** The same for the first connection. */
const CONNECT_WITHIN_MS = 1_000;
/** After a failure Redis is left alone for so long; then one request tries it. */
const REST_MS = 1_000;
const RECONNECT_MAX_MS = 1_000;
/** Far longer than anybody waits for it here: a process that was busy would take its own delay for that of Redis. */
const SOCKET_CONNECT_MS = 10_000;
/** Every wait for Redis is cut into so many. */
const WAIT_PARTS = 10;

export interface SharedLimitsSettings {
  readonly redis_url: Secret;
  /** How many instances share the limits: while Redis is away each admits this part of them. */
  readonly instances: number;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic: () => number;
  readonly log: Log;
  /** Longest wait for an answer of Redis; 100 ms by default. */
  readonly answer_within_ms?: number;
}

/**
 * The exact sliding log of a subject, kept in Redis on Redis's own clock. The script runs as one step, so instances cannot
 * pass the limit between a look and an entry. When the clock of Redis was set back, the log moves back with it: the
 * distances between entries stay. KEYS: the log. ARGV: limit, window in microseconds. Answers 1 = entered, 0 = full.
 */
const ADMIT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local last = tonumber(redis.call('LINDEX', KEYS[1], -1) or 0)
if last > now then
  local entries = redis.call('LRANGE', KEYS[1], 0, -1)
  redis.call('DEL', KEYS[1])
  for _, entry in ipairs(entries) do
    redis.call('RPUSH', KEYS[1], string.format('%.0f', entry - (last - now)))
  end
end
local first = redis.call('LINDEX', KEYS[1], 0)
while first and tonumber(first) <= now - ARGV[2] do
  redis.call('LPOP', KEYS[1])
  first = redis.call('LINDEX', KEYS[1], 0)
end
if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(ARGV[2] / 1000) + 1000)
return 1`;

/**
 * Limits that several instances share. Redis decides; when it hangs or is gone, each instance decides by its own log and
 * its part of the limit, so nothing is opened and nobody is shut out. For one window after Redis has come back both must
 * agree: it may have lost what it knew, and knows nothing of what was admitted meanwhile.
 */
export const openSharedLimits = (settings: SharedLimitsSettings): Limits => {
  const { instances, monotonic, log } = settings;
  const own = openSlidingLog(monotonic);
  const breaker = openBreaker(monotonic);
  // A connection that was lost between two questions counts too: a restarted Redis has forgotten its logs.
  const redis = openRedis(settings, () => void breaker.failed());
  const part = (limit: number) => Math.max(1, Math.floor(limit / instances));

  const ask = async (subject: string, limit: number): Promise<boolean | null> => {
    if (!breaker.may_ask()) return null;
    try {
      const is_entered = await redis.admit(subject, limit);
      breaker.succeeded();
      return is_entered;
    } catch (error) {
      if (breaker.failed()) log.warn({ error: messageOf(error) }, "Redis does not answer: rate limits are kept here.");
      return null;
    }
  };

  return {
    async admit(subject, limit) {
      if (!breaker.is_doubted()) {
        const answer = await ask(subject, limit);
        if (answer === null) return own.admit(subject, part(limit));
        // Remembered for the case that Redis fails next.
        if (answer) own.enter(subject);
        return answer;
      }
      if (!own.admit(subject, part(limit))) return false;
      const answer = await ask(subject, limit);
      if (answer === false) own.leave(subject);
      return answer ?? true;
    },
    close: () => redis.close(),
  };
};

/** Says whether Redis is worth asking. After a failure it rests, then one request at a time tries it. */
const openBreaker = (monotonic: () => number) => {
  let rests_until = Number.NEGATIVE_INFINITY;
  let doubted_until = Number.NEGATIVE_INFINITY;
  let is_broken = false;
  let is_tried = false;
  return {
    /** It failed within the last window. */
    is_doubted: () => is_broken || monotonic() < doubted_until,
    may_ask(): boolean {
      if (!is_broken) return true;
      if (is_tried || monotonic() < rests_until) return false;
      is_tried = true;
      return true;
    },
    succeeded(): void {
      if (is_broken) doubted_until = monotonic() + WINDOW_MS;
      is_broken = false;
      is_tried = false;
    },
    /** @returns whether this is news. */
    failed(): boolean {
      const was_broken = is_broken;
      is_broken = true;
      is_tried = false;
      rests_until = monotonic() + REST_MS;
      return !was_broken;
    },
  };
};

/** A connection that is made with the first question and made again whenever it is lost. */
const openRedis = (settings: SharedLimitsSettings, lost: () => void) => {
  const { redis_url, log } = settings;
  const client = createClient({
    url: redis_url.reveal(),
    // A question that cannot be sent now must not be sent later.
    disableOfflineQueue: true,
    commandsQueueMaxLength: 10_000,
    socket: {
      connectTimeout: SOCKET_CONNECT_MS,
      reconnectStrategy: (attempt) => Math.min(RECONNECT_MAX_MS, 20 * 2 ** Math.min(attempt, 8)),
    },
  });
  client.on("error", (error: unknown) => {
    lost();
    log.debug({ error: messageOf(error), redis: maskUrl(redis_url.reveal()) }, "The connection to Redis failed.");
  });
  const answer_within_ms = settings.answer_within_ms ?? ANSWER_WITHIN_DEFAULT_MS;
  let connecting: Promise<unknown> | null = null;
  let is_connected = false;
  return {
    /** @throws Error when there is no answer in time. */
    async admit(subject: string, limit: number): Promise<boolean> {
      connecting ??= client.connect().catch(() => undefined);
      if (!is_connected) await within(CONNECT_WITHIN_MS, connecting);
      is_connected = true;
      const wanted = { keys: [`assay:rate:${subject}`], arguments: [String(limit), String(WINDOW_MS * 1_000)] };
      return (await within(answer_within_ms, client.eval(ADMIT, wanted))) === 1;
    },
    async close(): Promise<void> {
      if (connecting !== null) client.destroy();
    },
  };
};

/**
 * Waits so long for `work`, by time in which this process could have heard of it. A process that was busy, or was not
 * scheduled, finds its timers run out before it has written its question or read the answer that lies there: so the time
 * is waited in parts, with what has come and what is to go between any two of them.
 * @throws Error when it has not ended by then.
 */
const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const wait = (parts: number): void => {
      timer = setTimeout(() => {
        if (parts === 1) setImmediate(() => reject(new Error(`no answer within ${ms} ms`)));
        else wait(parts - 1);
      }, ms / WAIT_PARTS);
    };
    wait(WAIT_PARTS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
