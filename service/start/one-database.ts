import type { Config } from '../../config.ts'
import { Fault } from '../../lib/errors.ts'

/**
 * Services used to merge their projects over Redis. One that goes on alone would honour keys that another has revoked.
 * @throws {Fault} that says what to do instead.
 */
export function assertOneDatabase({ servicesKey, database }: Pick<Config, 'servicesKey' | 'database'>): void {
  if (servicesKey === null || database.url !== null) return
  const why = 'SERVICES_KEY is set without DATABASE_URL: services no longer merge databases of their own over Redis.'
  const several = 'For several services, move the records to PostgreSQL (`npm run admin -- migrate --to postgres://…`)'
  const advice = `${several} and set DATABASE_URL. For one service, remove SERVICES_KEY; REDIS_URL can stay.`
  throw new Fault('validation_error', `${why} ${advice} See docs/more-machines.md.`)
}
