/** The server's time in microseconds: processes' clocks differ. */
const SERVER_TIME = "local t = redis.call('TIME'); local now = t[1] * 1000000 + t[2]";

/** How long an idle key outlives its content, milliseconds. */
const KEPT_MS = 30_000;

/** What runs inside the server, each at one instant. Nothing newer than Redis 5. */
export type LimitScripts = {
  readonly take: string;
  readonly renew: string;
  readonly hangUp: string;
  readonly mark: string;
};

/**
 * The scripts. `time` is the Lua that sets `now`; a test puts its own.
 *
 * `take`: KEYS are the log of starts and the leases in flight; ARGV the window (µs), the limit, the limit in flight (negative: none), the
 * length of a lease (µs) and an id. A start or a lease at the window's very edge has gone. A third key is the log of calls that
 * the owner abandoned, with two more ARGV: its window (µs) and how many may be in it. Answers what became of the start (0 admitted,
 * 1 too many starts, 2 too many in flight, 3 too many abandoned), starts in the window, leases in flight, the time until a start is
 * free (µs), and the id: an answer that came out of turn is not taken for this one's.
 * What lies further ahead than it could was noted before the server's clock was set back, and is dropped: it would keep
 * a caller out until the clock is there again.
 *
 * `renew`: KEYS are the leases of one bucket; ARGV the length and the ids of those that go on.
 *
 * `hangUp`: KEYS are the log of abandoned calls; ARGV its window (µs), how many may be in it, and an id. Only the newest are kept,
 * one more than may be.
 *
 * `mark`: KEYS are a mark; ARGV for how long it is kept (ms). Answers 1 where it was there before, else 0.
 */
export function limitScripts({ time = SERVER_TIME }: { readonly time?: string } = {}): LimitScripts {
  return {
    take: `${time}
      local win, lim, flights, lease = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
      redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - win)
      redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. string.format('%.0f', now + win), '+inf')
      local n, c, code, wait = redis.call('ZCARD', KEYS[1]), 0, 0, 0
      if flights >= 0 then
        redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
        redis.call('ZREMRANGEBYSCORE', KEYS[2], '(' .. string.format('%.0f', now + 2 * lease), '+inf')
        c = redis.call('ZCARD', KEYS[2])
      end
      if KEYS[3] then
        local gap, most = tonumber(ARGV[6]), tonumber(ARGV[7])
        if redis.call('ZCARD', KEYS[3]) > most then
          redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - gap)
          redis.call('ZREMRANGEBYSCORE', KEYS[3], '(' .. string.format('%.0f', now + gap), '+inf')
          local left = redis.call('ZCARD', KEYS[3])
          if left > most then
            local oldest = redis.call('ZRANGE', KEYS[3], left - most - 1, left - most - 1, 'WITHSCORES')
            return { 3, n, c, tonumber(oldest[2]) + gap - now, ARGV[5] }
          end
        end
      end
      if n >= lim then code = 1 elseif flights >= 0 and c >= flights then code = 2 end
      if code == 0 then
        n = n + 1
        redis.call('ZADD', KEYS[1], now, ARGV[5])
        redis.call('PEXPIRE', KEYS[1], math.ceil(win / 1000) + ${KEPT_MS})
        if flights >= 0 then
          c = c + 1
          redis.call('ZADD', KEYS[2], now + lease, ARGV[5])
          redis.call('PEXPIRE', KEYS[2], math.ceil(lease / 1000) + ${KEPT_MS})
        end
      end
      if n >= lim then
        wait = win
        if lim > 0 then
          local oldest = redis.call('ZRANGE', KEYS[1], n - lim, n - lim, 'WITHSCORES')
          wait = tonumber(oldest[2]) + win - now
        end
      end
      return { code, n, c, wait, ARGV[5] }`,
    renew: `${time}
      local lease = tonumber(ARGV[1])
      for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now + lease, ARGV[i]) end
      redis.call('PEXPIRE', KEYS[1], math.ceil(lease / 1000) + ${KEPT_MS})
      return 0`,
    hangUp: `${time}
      local gap = tonumber(ARGV[1])
      redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. string.format('%.0f', now + gap), '+inf')
      redis.call('ZADD', KEYS[1], now, ARGV[3])
      redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -(tonumber(ARGV[2]) + 2))
      redis.call('PEXPIRE', KEYS[1], math.ceil(gap / 1000) + ${KEPT_MS})
      return 0`,
    mark: `
      local was = redis.call('ZCARD', KEYS[1])
      redis.call('ZADD', KEYS[1], 0, 'mark')
      redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[1]))
      return was`,
  };
}
