/**
 * The server's part of the live bus, each script as one step.
 *
 * Of a run it keeps a hash, with a field for each message that is being written, and the text of
 * each under a key of its own. A text is kept as the inside of a JSON string, so that pieces can be
 * appended wherever they were cut, also within a character. All of it ends by itself: a worker that
 * died does not finish its messages.
 *
 * Every piece has a number that only grows, also after the kept part has ended. So a new watcher
 * can tell earlier pieces from later ones.
 */

/** Fields of the hash that are not messages begin with this. */
const NUMBER = "#";

/**
 * Keeps a piece and tells it.
 * KEYS: the hash, the text. ARGV: name, epoch, offset, length with the piece, header, escaped text,
 * channel, message, time to live, longest text, most messages.
 */
export const PUBLISH = `
local name, epoch, offset, length = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local known = redis.call('HGET', KEYS[1], name)
local keptEpoch, keptLength
if known then
  local first, second = string.match(known, '^(%d+) (%d+) ')
  keptEpoch, keptLength = tonumber(first), tonumber(second)
  if epoch < keptEpoch then return 0 end
end
local fits = offset == 0 or (known and epoch == keptEpoch and offset == keptLength)
local hasRoom = known or redis.call('HLEN', KEYS[1]) <= tonumber(ARGV[11])
if fits and hasRoom and length <= tonumber(ARGV[10]) then
  redis.call('HSET', KEYS[1], name, epoch .. ' ' .. length .. ' ' .. ARGV[5])
  redis.call(offset == 0 and 'SET' or 'APPEND', KEYS[2], ARGV[6])
  redis.call('PEXPIRE', KEYS[2], ARGV[9])
elseif known then
  redis.call('HDEL', KEYS[1], name)
  redis.call('DEL', KEYS[2])
end
local now = redis.call('TIME')
local latest = tonumber(redis.call('HGET', KEYS[1], '${NUMBER}') or 0)
local number = math.max(now[1] * 1000000 + now[2], latest + 1)
redis.call('HSET', KEYS[1], '${NUMBER}', string.format('%.0f', number))
redis.call('PEXPIRE', KEYS[1], ARGV[9])
redis.call('PUBLISH', ARGV[7], string.format('%.0f', number) .. ' ' .. ARGV[8])
return 1
`;

/** Forgets the messages of one key. KEYS: the hash. ARGV: the key. */
export const FINISH = `
for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(name, -#ARGV[1] - 1) == ' ' .. ARGV[1] then
    redis.call('HDEL', KEYS[1], name)
    redis.call('DEL', KEYS[1] .. ':' .. name)
  end
end
return 1
`;

/** The messages being written now, and the number of the latest piece. KEYS: the hash. */
export const SNAPSHOT = `
local now = redis.call('TIME')
local before = string.format('%.0f', now[1] * 1000000 + now[2] - 1)
local told = { redis.call('HGET', KEYS[1], '${NUMBER}') or before }
for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
  local text = name ~= '${NUMBER}' and redis.call('GET', KEYS[1] .. ':' .. name)
  if text then
    table.insert(told, redis.call('HGET', KEYS[1], name))
    table.insert(told, text)
  end
end
return told
`;
