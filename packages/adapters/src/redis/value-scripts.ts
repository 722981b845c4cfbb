/**
 * The server's part of values, each script as one step. For each tenant it keeps a hash of bodies,
 * each behind its version, the keys in their order, the latest version, and a list for each log.
 * All keys have the tenant in braces, so that a cluster keeps them together.
 */

const findKeys = `
local function findKeys(prefix)
  return redis.call('ZRANGEBYLEX', KEYS[2], '[' .. prefix, '(' .. prefix .. string.char(127))
end
`;

/**
 * Changes values, all or none. Answers 1 with the version, or 0 with that of a key that has another
 * than it should, and the key.
 * KEYS: bodies, keys, version. ARGV: 1 where a prefix is cleared, the prefix, then of each change
 * its key, the version that it names or '', and its body or ''.
 */
export const CHANGE_VALUES = `
${findKeys}
local stale, found
for at = 3, #ARGV, 3 do
  if ARGV[at + 1] ~= '' then
    local known = redis.call('HGET', KEYS[1], ARGV[at])
    local version = known and string.match(known, '^(%d+) ') or '0'
    if version ~= ARGV[at + 1] and (not stale or ARGV[at] < stale) then
      stale, found = ARGV[at], version
    end
  end
end
if stale then return { 0, found, stale } end
local version = redis.call('INCR', KEYS[3])
if ARGV[1] == '1' then
  for _, key in ipairs(findKeys(ARGV[2])) do
    redis.call('HDEL', KEYS[1], key)
    redis.call('ZREM', KEYS[2], key)
  end
end
for at = 3, #ARGV, 3 do
  if ARGV[at + 2] == '' then
    redis.call('HDEL', KEYS[1], ARGV[at])
    redis.call('ZREM', KEYS[2], ARGV[at])
  else
    redis.call('HSET', KEYS[1], ARGV[at], string.format('%.0f', version) .. ' ' .. ARGV[at + 2])
    redis.call('ZADD', KEYS[2], 0, ARGV[at])
  end
end
return { 1, string.format('%.0f', version) }
`;

/**
 * Keys that begin with a text, each followed by its row; false where they are too many.
 * KEYS: bodies, keys. ARGV: the prefix, the most keys, the most bytes.
 */
export const READ_VALUES = `
${findKeys}
local keys = findKeys(ARGV[1])
if #keys > tonumber(ARGV[2]) then return false end
local bytes, told = 0, {}
for _, key in ipairs(keys) do
  local row = redis.call('HGET', KEYS[1], key)
  local version = string.match(row, '^(%d+) ')
  bytes = bytes + #row - #version - 1
  if bytes > tonumber(ARGV[3]) then return false end
  table.insert(told, key)
  table.insert(told, row)
end
return told
`;
