import type { MeteredClass } from '../../lib/plans.ts'
import { redisScript } from '../../lib/sharing/redis-script.ts'

/**
 * Position of each class in the value of its project; the total is at 0. Values outlive a version: a class keeps its
 * place.
 */
export const CLASS_SLOTS: Readonly<Record<MeteredClass, number>> = { cheap: 1, fetch: 2, canvas: 3, browser: 4 }

/**
 * `api/limits/limiter.ts` has the rule; this is the same in one atomic step. For each ask: the key of its project, the limits
 * of class and total, and the slot of the class. An answer is what remains, or, when refused, minus twice the wait, minus one
 * more where the total is spent. Where the clock stepped back, even a refusal updates the timestamp. The total is written with
 * every class, so that its timestamp is never before theirs.
 *
 * A project has one value with all of its budgets, two numbers each, level and time: reading and writing keys is most of what
 * a charge costs Redis. So asks of one project in one call also share the reading and the writing.
 */
export const chargeEach = redisScript(`
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local max, min, ceil, floor, sub = math.max, math.min, math.ceil, math.floor, string.sub
local function level(value, slot, limit)
  if #value < slot * 16 + 16 then return 0 end
  local stored, at = struct.unpack('<dd', value, slot * 16 + 1)
  local filled = min(stored, 60000 * limit)
  if now < at then return filled, stored end
  return max(0, filled - (now - at) * limit)
end
local function put(value, slot, all, own)
  local before = slot * 16
  if #value < before then value = value .. string.rep('\\0', before - #value) end
  local class = own and struct.pack('<dd', own, now) or sub(value, before + 1, before + 16)
  return struct.pack('<dd', all, now) .. sub(value, 17, before) .. class .. sub(value, before + 17)
end
local values, changed, answers = {}, {}, {}
for i, key in ipairs(KEYS) do
  local limit, total, slot = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  local value = values[key] or redis.call('GET', key) or ''
  local own, ownBack = level(value, slot, limit)
  local all, allBack = level(value, 0, total)
  local ownWait = ceil((own + 60000 - 60000 * limit) / limit)
  local allWait = ceil((all + 60000 - 60000 * total) / total)
  if ownWait > 0 or allWait > 0 then
    if allBack then
      value = put(value, slot, allBack, ownBack)
      changed[key] = true
    end
    answers[i] = allWait > ownWait and -2 * allWait - 1 or -2 * ownWait
  else
    value = put(value, slot, all + 60000, own + 60000)
    changed[key] = true
    answers[i] = floor((min(60000 * limit - own, 60000 * total - all) - 60000) / 60000)
  end
  values[key] = value
end
for key in pairs(changed) do redis.call('SET', key, values[key], 'PX', 120000) end
return answers`)
