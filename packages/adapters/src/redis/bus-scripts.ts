/**
 * The server's part of a bus, each script as one step. A topic is a stream whose ids are the
 * numbers of its events, and the last number, which also stands when events are trimmed.
 */

/**
 * Adds events. Answers with the last number, or -1 where there is no room.
 * KEYS: stream, last number. ARGV: the most events, then the events.
 */
export const PUBLISH_EVENTS = `
if redis.call('XLEN', KEYS[1]) + #ARGV - 1 > tonumber(ARGV[1]) then return -1 end
local number
for at = 2, #ARGV do
  number = redis.call('INCR', KEYS[2])
  redis.call('XADD', KEYS[1], string.format('%.0f-0', number), 'e', ARGV[at])
end
return number
`;

/**
 * Hands out events: those held for too long, then new ones. Answers with numbers, each followed by
 * its event; -1 where there are too many groups. KEYS: stream. ARGV: group, consumer, how long, how
 * many, the most groups.
 */
export const TAKE_EVENTS = `
local group, consumer, limit = ARGV[1], ARGV[2], tonumber(ARGV[4])
if redis.call('EXISTS', KEYS[1]) == 0 then return {} end
local groups, isKnown = redis.call('XINFO', 'GROUPS', KEYS[1]), false
for _, known in ipairs(groups) do
  if known[2] == group then isKnown = true end
end
if not isKnown then
  if #groups >= tonumber(ARGV[5]) then return { -1 } end
  redis.call('XGROUP', 'CREATE', KEYS[1], group, '0')
end
-- The server keeps a consumer for ever. A new one clears away those that hold nothing any more:
-- each process may have a name of its own.
if redis.call('XGROUP', 'CREATECONSUMER', KEYS[1], group, consumer) == 1 then
  for _, known in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], group)) do
    local fields = {}
    for at = 1, #known, 2 do fields[known[at]] = known[at + 1] end
    if fields.pending == 0 and fields.idle >= tonumber(ARGV[3]) and fields.name ~= consumer then
      redis.call('XGROUP', 'DELCONSUMER', KEYS[1], group, fields.name)
    end
  end
end
local told = {}
local function tell(entries)
  for _, entry in ipairs(entries) do
    table.insert(told, (string.gsub(entry[1], '%-0$', '')))
    table.insert(told, entry[2][2])
  end
end
local from = '0-0'
repeat
  local left = redis.call('XAUTOCLAIM', KEYS[1], group, consumer, ARGV[3], from,
    'COUNT', limit - #told / 2)
  from = left[1]
  tell(left[2])
until from == '0-0' or #told / 2 >= limit
if #told / 2 < limit then
  local fresh = redis.call('XREADGROUP', 'GROUP', group, consumer, 'COUNT', limit - #told / 2,
    'STREAMS', KEYS[1], '>')
  if fresh then tell(fresh[1][2]) end
end
return told
`;
