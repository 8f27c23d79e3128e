import { redisScript, type ScriptRunner } from '../../lib/sharing/redis-script.ts'
import type { JobType } from './job.ts'

/*
 * Places of jobs, in keys of our own: Bull runs the jobs and keeps their data, but reports neither its order nor the next
 * job in one step. All keys of a type begin with `<prefix>:<type>:`.
 *
 * queued: ids of the jobs that wait, by turn; running: jobs that a worker has, with the same number; suspects: jobs that a
 * worker died with; admitted: jobs that Bull may not have yet, by time; turns: the last turn of each project.
 */

/** The ids of jobs that have ended, by time; and the channel that reports each. */
export function endedKey(prefix: string): string {
  return `${prefix}:ended`
}

export function placeKeys(prefix: string, type: JobType) {
  const of = `${prefix}:${type}:`
  return {
    queued: `${of}queued`,
    running: `${of}running`,
    suspects: `${of}suspects`,
    admitted: `${of}admitted`,
    turns: `${of}turns`,
  } as const
}

/** A place is the turn times this, and a number that keeps the jobs of one turn in order. */
export const PLACES_A_TURN = 1_000_000
/** A job moves from its place in the queue to Bull with two commands, each of which fails after less. */
export const ADMITTED_MS = 10_000
/** A service that was away for longer misses the ends of earlier jobs. */
export const LONGEST_CATCH_UP_MS = 60 * 60_000

/**
 * Admits a request: as the job that there is already, as a new one with its turn, or not at all.
 *
 * Turns make the queue fair. A project's next job gets the turn after its last one, but never one before the turn that
 * is being served: a project with a thousand jobs has a thousand turns, and the next project's first job goes in
 * between at once. What of a project still waits follows from its last turn, so nothing has to be counted. The room is
 * shared likewise: a project may take half of what is free, so there is always some for a project that comes.
 *
 * Jobs of one turn stay in order by a number that is added to it.
 *
 * KEYS: queued, admitted, turns, same, index
 * ARGV: id, projectId, now, capacity, how many to list, kept for ms, what `same` may be overwritten for
 * Answers: 'same' or 'new', the id, the turn, when it was made; or 'full'.
 */
export const ADMIT = redisScript(`
local id, project, now = ARGV[1], ARGV[2], tonumber(ARGV[3])
local same = redis.call('GET', KEYS[4])
if same and same ~= ARGV[7] then return {'same', string.match(same, '^(%S+) (%S+) (%S+)$')} end
local waiting = redis.call('ZCARD', KEYS[1])
local last = tonumber(redis.call('HGET', KEYS[3], project) or 0)
local newest = tonumber(redis.call('HGET', KEYS[3], '') or 0)
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
local served = first and math.floor(tonumber(first) / ${PLACES_A_TURN}) - 1 or newest
local free = tonumber(ARGV[4]) - waiting
if free <= 0 or (waiting > 0 and last - served >= free) then return {'full'} end
local turn = math.max(last, served) + 1
local text = string.format('%.0f', turn)
redis.call('HSET', KEYS[3], project, text)
if turn > newest then redis.call('HSET', KEYS[3], '', text) end
local place = turn * ${PLACES_A_TURN} + redis.call('HINCRBY', KEYS[3], '#', 1) % ${PLACES_A_TURN}
redis.call('PEXPIRE', KEYS[3], ARGV[6])
redis.call('ZADD', KEYS[1], string.format('%.0f', place), id)
redis.call('ZADD', KEYS[2], now, id)
redis.call('SET', KEYS[4], id .. ' ' .. text .. ' ' .. ARGV[3], 'PX', 3600000)
-- Of two in the same millisecond the second is the newer one.
local listed = redis.call('ZRANGE', KEYS[5], -1, -1, 'WITHSCORES')[2]
redis.call('ZADD', KEYS[5], string.format('%.3f', math.max(now, (listed or 0) + 0.001)), id)
redis.call('ZREMRANGEBYSCORE', KEYS[5], '-inf', now - tonumber(ARGV[6]))
redis.call('ZREMRANGEBYRANK', KEYS[5], 0, -1 - tonumber(ARGV[5]))
redis.call('PEXPIRE', KEYS[5], ARGV[6])
return {'new', id, text, ARGV[3]}
`)

/** KEYS: queued, running, suspects, admitted. ARGV: id, turn. Answers 1 for a suspect: who has run it before has died. */
const BEGIN = redisScript(`
local place = redis.call('ZSCORE', KEYS[1], ARGV[1]) or ARGV[2] * ${PLACES_A_TURN}
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[1])
if redis.call('ZADD', KEYS[2], 'NX', place, ARGV[1]) == 0 then redis.call('SADD', KEYS[3], ARGV[1]) end
return redis.call('SISMEMBER', KEYS[3], ARGV[1])
`)

/** KEYS: queued, running. ARGV: id. */
const REQUEUE = redisScript(`
local place = redis.call('ZSCORE', KEYS[2], ARGV[1])
if not place then return end
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[1], place, ARGV[1])
`)

/** KEYS: queued, running, suspects, admitted, ended. ARGV: id, now, kept for ms. */
const END = redisScript(`
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('SREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('ZADD', KEYS[5], ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[5], '-inf', ARGV[2] - ARGV[3])
redis.call('PUBLISH', KEYS[5], ARGV[1])
`)

/** The places of the jobs of one type. */
export type JobPlaces = ReturnType<typeof createPlaces>

export function createPlaces(redis: ScriptRunner, prefix: string, type: JobType) {
  const { queued, running, suspects, admitted } = placeKeys(prefix, type)
  return {
    /** A worker has taken it. @returns whether another one has died with it. */
    begin: async (id: string, turn: number): Promise<boolean> =>
      (await BEGIN(redis, [queued, running, suspects, admitted], [id, turn])) === 1,
    /** Moves the job back into the queue. */
    async requeue(id: string) {
      await REQUEUE(redis, [queued, running], [id])
    },
    /** Removes a job that has ended, or does not exist, and notifies all listeners. */
    async end(id: string, nowMs: number) {
      const keys = [queued, running, suspects, admitted, endedKey(prefix)]
      await END(redis, keys, [id, nowMs, LONGEST_CATCH_UP_MS])
    },
  }
}
