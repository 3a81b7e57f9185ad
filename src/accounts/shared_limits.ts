import { createClient } from "@redis/client";
import { messageOf } from "../lib/errors.ts";
import { type Log, maskUrl, type Secret } from "../lib/log.ts";
import { type Limits, openSlidingLog, WINDOW_MS } from "./limits.ts";

/** Maximum wait for Redis before this instance decides a request itself. */
const ANSWER_WITHIN_DEFAULT_MS = 100;
/** The same for the first connection. */
const CONNECT_WITHIN_MS = 1_000;
/** Pause after a failure of Redis; then one request probes it. */
const REST_MS = 1_000;
const RECONNECT_MAX_MS = 1_000;
/** Far longer than any wait here: a busy process would mistake its own delay for that of Redis. */
const SOCKET_CONNECT_MS = 10_000;
/** Parts into which every wait for Redis is split. */
const WAIT_PARTS = 10;

export interface SharedLimitsSettings {
  readonly redis_url: Secret;
  /** Number of instances that share the limits: while Redis is unavailable, each admits its share. */
  readonly instances: number;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
  readonly log: Log;
  /** Maximum wait for an answer from Redis; 100 ms by default. */
  readonly answer_within_ms?: number;
}

/**
 * The exact sliding log of a subject, stored in Redis on Redis's own clock. The script runs atomically, so instances cannot
 * exceed the limit between a check and an entry. When the clock of Redis was set back, the log moves back with it: the
 * distances between entries stay. KEYS: the log. ARGV: limit, window in microseconds. Returns 1 = admitted, 0 = full.
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
 * Limits that several instances share. Redis decides; when it hangs or is unavailable, each instance decides by its own log and
 * its share of the limit, so the limit holds and no caller is locked out. For one window after Redis has come back both must
 * agree: it may have lost its data, and lacks the admissions in the meantime.
 */
export const openSharedLimits = (settings: SharedLimitsSettings): Limits => {
  const { instances, monotonic, log } = settings;
  const own = openSlidingLog(monotonic);
  const breaker = openBreaker(monotonic);
  // A connection that was lost between two requests counts too: a restarted Redis has lost its logs.
  const redis = openRedis(settings, () => void breaker.failed());
  const part = (limit: number) => Math.max(1, Math.floor(limit / instances));

  const ask = async (subject: string, limit: number): Promise<boolean | null> => {
    if (!breaker.may_ask()) return null;
    try {
      const is_entered = await redis.admit(subject, limit);
      breaker.succeeded();
      return is_entered;
    } catch (error) {
      if (breaker.failed())
        log.warn(
          { error: messageOf(error) },
          "Redis does not answer: this instance applies its share of the rate limits.",
        );
      return null;
    }
  };

  return {
    async admit(subject, limit) {
      if (!breaker.is_doubted()) {
        const answer = await ask(subject, limit);
        if (answer === null) return own.admit(subject, part(limit));
        // Recorded in case Redis fails next.
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

/** Circuit breaker of Redis. After a failure it opens for a pause, then one request at a time probes Redis. */
const openBreaker = (monotonic: () => number) => {
  let rests_until = Number.NEGATIVE_INFINITY;
  let doubted_until = Number.NEGATIVE_INFINITY;
  let is_broken = false;
  let is_tried = false;
  return {
    /** Whether it failed within the last window. */
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
    /** @returns whether the state changed */
    failed(): boolean {
      const was_broken = is_broken;
      is_broken = true;
      is_tried = false;
      rests_until = monotonic() + REST_MS;
      return !was_broken;
    },
  };
};

/** A connection that is opened with the first request and reopened whenever it is lost. */
const openRedis = (settings: SharedLimitsSettings, lost: () => void) => {
  const { redis_url, log } = settings;
  const client = createClient({
    url: redis_url.reveal(),
    // A request that cannot be sent now must not be sent later.
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
    /** @throws Error when no answer arrives in time */
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
 * Waits for `work`, counting only time in which this process could have received it. A busy or unscheduled process
 * finds its timers expired before it has written its request or read a received answer, so the wait
 * is split into parts, with pending reads and writes between any two of them.
 * @throws Error when `work` has not ended by then
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
