/** The time in milliseconds as `t`: Redis' own, unless a test brings one. */
const NOW = `
local t = tonumber(ARGV[1])
if t == 0 then
  local clock = redis.call('TIME')
  t = clock[1] * 1000 + math.floor(clock[2] / 1000)
end`

/**
 * A lease is a field of one hash: `service token expiresAt reservedFor reservedUntil`, with `-` for no service. Its time is
 * Redis' own, and in the value rather than a key's life, so that one command shows all leases and tests bring the time.
 */
const COMMON = `
${NOW}
local function whole(n) return string.format('%.0f', n) end
local function read(field)
  local value = redis.call('HGET', KEYS[1], field)
  if not value then return nil end
  local service, token, expires, to, till = string.match(value, '^(%S+) (%d+) (%d+) (%S+) (%d+)$')
  if not service then return nil end
  return { service = service, token = tonumber(token), expires = tonumber(expires), to = to, till = tonumber(till) }
end
local function write(field, service, token, expires, to, till)
  redis.call('HSET', KEYS[1], field, service .. ' ' .. whole(token) .. ' ' .. whole(expires) .. ' ' .. to .. ' ' .. whole(till))
end
-- When the data begins. A Redis that lost it does not know who holds what, so nothing is granted for one life.
local function began()
  local since = tonumber(redis.call('GET', KEYS[3]) or '')
  if since then return since end
  redis.call('SET', KEYS[3], whole(t))
  return t
end
-- A lease that the database vouches for is written again where Redis lost it, or gave it to a service that did not get it
-- from the database as well.
local function prolong(field, token, life, me, isVouched)
  local lease = read(field)
  local isMine = lease and lease.service == me and lease.token == token
  local isFree = not lease or lease.service == '-' or lease.expires <= t
  if not isMine and not (isVouched and isFree) then return 0 end
  write(field, me, token, t + life, '-', 0)
  return 1
end
`

/**
 * KEYS leases, services, began. ARGV time, life, service, then fields and tokens in turn: the new ones are larger.
 * @returns for each field its token, or an empty text where another service has it; after a space, how long ago the lease of
 * another service ended that did not give it up.
 */
export const ACQUIRE = `${COMMON}
local life, me = tonumber(ARGV[2]), ARGV[3]
local isEarly = t < began() + life
local tokens = {}
for i = 4, #ARGV, 2 do
  local lease = read(ARGV[i])
  local isHeld = lease and lease.service ~= '-' and lease.service ~= me and lease.expires > t
  local isReserved = lease and lease.to ~= '-' and lease.to ~= me and lease.till > t
  if isEarly or isHeld or isReserved then
    tokens[#tokens + 1] = ''
  else
    local token = math.max((lease and lease.token or 0) + 1, tonumber(ARGV[i + 1]) + 1, t)
    local isLost = lease and lease.service ~= '-' and lease.service ~= me
    write(ARGV[i], me, token, t + life, '-', 0)
    tokens[#tokens + 1] = whole(token) .. (isLost and ' ' .. whole(t - lease.expires) or '')
  end
end
return tokens
`

/** KEYS leases. ARGV time, life, service, then fields and tokens in turn. @returns a 1 or 0 for each. */
export const CONFIRM = `${COMMON}
local kept = {}
for i = 4, #ARGV, 2 do
  kept[#kept + 1] = prolong(ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[2]), ARGV[3], false)
end
return kept
`

/**
 * KEYS leases, services. ARGV time, life, service, then fields and tokens in turn. Prolongs what a service has said of itself,
 * too. @returns a 1 or 0 for each lease.
 */
export const KEEP = `${COMMON}
local life, me = tonumber(ARGV[2]), ARGV[3]
local entry = redis.call('HGET', KEYS[2], me)
if entry then redis.call('HSET', KEYS[2], me, whole(t + life) .. string.match(entry, '^%d+(.*)$')) end
local kept = {}
for i = 4, #ARGV, 2 do
  kept[#kept + 1] = prolong(ARGV[i], tonumber(ARGV[i + 1]), life, me, false)
end
return kept
`

/**
 * KEYS leases, services, began, counts, orders. ARGV time, life, service, its entry, then fields, tokens, and 1 for those that
 * the database vouches for.
 * @returns the time, a 1 or 0 for each lease, all leases, all services, the number of shards of each bot, 1 while nothing is
 * granted, and all orders.
 */
export const RENEW = `${COMMON}
local life, me = tonumber(ARGV[2]), ARGV[3]
local isEarly = t < began() + life
redis.call('HSET', KEYS[2], me, whole(t + life) .. ' ' .. ARGV[4])
local kept = {}
for i = 5, #ARGV, 3 do
  kept[#kept + 1] = prolong(ARGV[i], tonumber(ARGV[i + 1]), life, me, ARGV[i + 2] == '1')
end
local services = redis.call('HGETALL', KEYS[2])
for i = 1, #services, 2 do
  local expires = tonumber(string.match(services[i + 1], '^(%d+) '))
  if not expires or expires + 10 * life < t then
    redis.call('HDEL', KEYS[2], services[i])
    redis.call('HDEL', KEYS[5], 'drain ' .. services[i])
  end
end
local leases, counts, orders = redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[4]), redis.call('HGETALL', KEYS[5])
return { whole(t), kept, leases, services, counts, isEarly and 1 or 0, orders }
`

/** KEYS as RENEW. ARGV time, life. @returns as RENEW, of no leases of its own. Writes nothing. */
export const LOOK = `
${NOW}
local since = tonumber(redis.call('GET', KEYS[3]) or '')
local isEarly = not since or t < since + tonumber(ARGV[2])
local leases, services = redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2])
local counts, orders = redis.call('HGETALL', KEYS[4]), redis.call('HGETALL', KEYS[5])
return { string.format('%.0f', t), {}, leases, services, counts, isEarly and 1 or 0, orders }
`

/** KEYS leases. ARGV time, service, field, token, the service to reserve it for or `-`, for how long, the channel; none without one. */
export const RELEASE = `${COMMON}
local lease = read(ARGV[3])
if not lease or lease.service ~= ARGV[2] or lease.token ~= tonumber(ARGV[4]) then return 0 end
write(ARGV[3], '-', lease.token, 0, ARGV[5], t + tonumber(ARGV[6]))
if ARGV[7] ~= '' then redis.call('PUBLISH', ARGV[7], ARGV[3]) end
return 1
`

/** KEYS pace. ARGV time, service, how long. One shard of the installation moves at a time. @returns whether it may. */
export const BEGIN_MOVE = `
${NOW}
local till = tonumber(redis.call('GET', KEYS[1]) or '0')
if till > t then return 0 end
redis.call('SET', KEYS[1], string.format('%.0f', t + tonumber(ARGV[3])))
return 1
`

/**
 * KEYS identifies. ARGV time, bot, bucket, pause between two of a bucket; logins left by Discord, until when, in a day.
 * @returns 0 and it may log in now, or how long to wait; negative if that is because no login is left.
 */
export const IDENTIFY = `
${NOW}
local function whole(n) return string.format('%.0f', n) end
local place = ARGV[2] .. ':' .. ARGV[3]
local free = tonumber(redis.call('HGET', KEYS[1], place) or '0')
if free > t then return free - t end
local left, resets = string.match(redis.call('HGET', KEYS[1], ARGV[2]) or '', '^(%d+) (%d+)$')
left, resets = tonumber(left), tonumber(resets)
if not resets then
  left, resets = tonumber(ARGV[5]), t + tonumber(ARGV[6])
elseif resets <= t then
  left, resets = tonumber(ARGV[7]), t + 86400000
end
if left <= 0 then return t - resets end
redis.call('HSET', KEYS[1], ARGV[2], whole(left - 1) .. ' ' .. whole(resets))
redis.call('HSET', KEYS[1], place, whole(t + tonumber(ARGV[4])))
return 0
`
