import { redisScript } from '../../lib/sharing/redis-script.ts'

/**
 * Admits a request: as the job that there is already, as a new one with its turn, or not at all.
 *
 * Turns make the queue fair. A project's next job gets the turn after its last one, but never one before the turn that
 * is being served: a project with a thousand jobs has a thousand turns, and the next project's first job goes in
 * between at once. What of a project still waits follows from its last turn, so nothing has to be counted. The room is
 * shared likewise: a project may take half of what is free, so there is always some for a project that comes.
 *
 * Bull has a job only a moment after it was admitted here. Until then `admitted` has it, or a crowd that comes at once
 * would find an empty queue, each of them; a process that died in between is not counted for long.
 *
 * KEYS: wait, delayed, priority, completed, failed (of Bull's queue), turns, same, index, job, admitted
 * ARGV: id, projectId, now, capacity, fresh for ms, how many to list, kept for ms, admitted for ms
 * Answers: 'same' or 'new', the id, the turn, when it was made; or 'full'.
 */
export const ADMIT = redisScript(`
local id, project, now = ARGV[1], ARGV[2], tonumber(ARGV[3])
local base = string.sub(KEYS[9], 1, -1 - #id)
local same = redis.call('GET', KEYS[7])
if same then
  local sameId, turn, at = string.match(same, '^(%S+) (%S+) (%S+)$')
  local isKnown = redis.call('EXISTS', base .. sameId) == 1
  local isFresh = now - tonumber(at) < tonumber(ARGV[5])
  local hasFailed = redis.call('ZSCORE', KEYS[5], sameId)
  local isPending = isKnown and not hasFailed and not redis.call('ZSCORE', KEYS[4], sameId)
  if isPending or (isFresh and not hasFailed) then return {'same', sameId, turn, at} end
end
redis.call('ZREMRANGEBYSCORE', KEYS[10], '-inf', now - tonumber(ARGV[8]))
local coming = redis.call('ZCARD', KEYS[10])
local waiting = redis.call('LLEN', KEYS[1]) + redis.call('ZCARD', KEYS[2]) + coming
local last = tonumber(redis.call('HGET', KEYS[6], project) or 0)
local newest = tonumber(redis.call('HGET', KEYS[6], '') or 0)
local first = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2]
local served = first and tonumber(first) - 1 or math.max(0, newest - coming)
local free = tonumber(ARGV[4]) - waiting
if free <= 0 or (waiting > 0 and last - served >= free) then return {'full'} end
local turn = string.format('%.0f', math.max(last, served) + 1)
redis.call('HSET', KEYS[6], project, turn)
if tonumber(turn) > newest then redis.call('HSET', KEYS[6], '', turn) end
redis.call('PEXPIRE', KEYS[6], ARGV[7])
redis.call('ZADD', KEYS[10], now, id)
redis.call('PEXPIRE', KEYS[10], ARGV[8])
redis.call('SET', KEYS[7], id .. ' ' .. turn .. ' ' .. ARGV[3], 'PX', 3600000)
-- Of two in the same millisecond the second is the newer one.
local listed = redis.call('ZRANGE', KEYS[8], -1, -1, 'WITHSCORES')[2]
redis.call('ZADD', KEYS[8], string.format('%.3f', math.max(now, (listed or 0) + 0.001)), id)
redis.call('ZREMRANGEBYSCORE', KEYS[8], '-inf', now - tonumber(ARGV[7]))
redis.call('ZREMRANGEBYRANK', KEYS[8], 0, -1 - tonumber(ARGV[6]))
redis.call('PEXPIRE', KEYS[8], ARGV[7])
return {'new', id, turn, ARGV[3]}
`)

/**
 * What there is to know of jobs, each as it is at one moment.
 * KEYS: none. ARGV: the prefix of all keys, the types, an empty text, the ids.
 * Answers for each id: nothing, or type, state, place, and the fields of Bull's entry.
 */
export const READ = redisScript(`
local types, answers = {}, {}
local at = 2
while ARGV[at] ~= '' do
  types[#types + 1] = ARGV[at]
  at = at + 1
end
local function find(id)
  for _, type in ipairs(types) do
    local base = ARGV[1] .. ':' .. type .. ':'
    local fields = redis.call('HMGET', base .. id, 'data', 'timestamp', 'processedOn', 'finishedOn', 'progress',
      'returnvalue', 'failedReason')
    if fields[1] then
      local state, place = 'pending', false
      if redis.call('ZSCORE', base .. 'completed', id) then state = 'completed'
      elseif redis.call('ZSCORE', base .. 'failed', id) then state = 'failed'
      elseif redis.call('LPOS', base .. 'active', id) then state = 'processing'
      else
        local index = redis.call('LPOS', base .. 'wait', id)
        if index then place = redis.call('LLEN', base .. 'wait') - index end
      end
      local answer = {type, state, place}
      for i = 1, 7 do answer[3 + i] = fields[i] end
      return answer
    end
  end
  return false
end
for i = at + 1, #ARGV do answers[#answers + 1] = find(ARGV[i]) end
return answers
`)
