/**
 * The server's part of rate limits, as one step: concurrent requests are counted one after the
 * other.
 *
 * For each name it keeps the holders of leases with their ends, the times of taken leases, and the
 * line with its times. All of it ends by itself.
 */

/**
 * Takes a lease. Answers -1, or in how many milliseconds to ask again.
 * KEYS: held, taken, line. ARGV: the time or '' for the server's own, lease, holder, how long it is
 * held, leases at once or 0, when to look again for one, leases in a window or 0, the window, the
 * longest line.
 */
export const TAKE = `
local held, taken, line = KEYS[1], KEYS[2], KEYS[3]
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local lease, holder, hold = ARGV[2], ARGV[3], tonumber(ARGV[4])
local atOnce, look = tonumber(ARGV[5]), tonumber(ARGV[6])
local count, window, longest = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])

local function scoreAt(key, rank)
  return tonumber(redis.call('ZRANGE', key, rank, rank, 'WITHSCORES')[2])
end

if atOnce > 0 then
  redis.call('ZREMRANGEBYSCORE', held, '-inf', now)
  if redis.call('ZCARD', held) >= atOnce then
    return math.min(look, scoreAt(held, 0) - now)
  end
end

if count > 0 then
  redis.call('ZREMRANGEBYSCORE', taken, '-inf', now - window)
  redis.call('ZREMRANGEBYSCORE', line, '-inf', now - window)
  local own = tonumber(redis.call('ZSCORE', line, holder) or nil)
  if own and own > now then return own - now end
  if own then redis.call('ZREM', line, holder) end
  local before, waiting = redis.call('ZCARD', taken), 0
  -- A holder whose turn it is looks only at what was taken; a new one, also at those in line.
  if not own then waiting = redis.call('ZCARD', line) end
  local free = now
  if waiting >= count then free = scoreAt(line, waiting - count) + window
  elseif before + waiting >= count then free = scoreAt(taken, before + waiting - count) + window end
  if free > now then
    if redis.call('ZCARD', line) < longest then
      redis.call('ZADD', line, free, holder)
      redis.call('PEXPIRE', line, free - now + window)
    end
    return free - now
  end
  redis.call('ZADD', taken, now, lease)
  redis.call('PEXPIRE', taken, window)
end

if atOnce > 0 then
  redis.call('ZADD', held, now + hold, lease)
  redis.call('PEXPIRE', held, math.max(scoreAt(held, -1) - now, 1))
end
return -1
`;

/**
 * Takes back a request under whose lease nothing was done: its holder's turn has come, and still
 * is. KEYS: as above. ARGV: lease, holder, the window or 0, the longest line; none where the holder
 * leaves.
 */
export const WITHDRAW = `
local held, taken, line = KEYS[1], KEYS[2], KEYS[3]
local lease, holder = ARGV[1], ARGV[2]
local window, longest = tonumber(ARGV[3]), tonumber(ARGV[4])
redis.call('ZREM', held, lease)
local at = redis.call('ZSCORE', taken, lease)
if not at then return 0 end
redis.call('ZREM', taken, lease)
if redis.call('ZCARD', line) < longest then
  redis.call('ZADD', line, at, holder)
  if redis.call('PTTL', line) < window then redis.call('PEXPIRE', line, window) end
end
return 1
`;
