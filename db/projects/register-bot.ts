import type { BotRecords } from './bots.ts'
import type { Project, Projects } from './projects.ts'

interface Registered {
  readonly id: string
  readonly name: string
  readonly token: string
  readonly sandbox?: boolean
}

interface RegisterStores {
  readonly bots: Pick<BotRecords, 'add' | 'projectOf'>
  readonly projects: Pick<Projects, 'create' | 'get' | 'list'>
}

const PROJECT_NAME = 'default'

/** Keeps a bot that Discord knows, in the project that it has already, or else in one called "default". */
export async function registerBot({ bots, projects }: RegisterStores, bot: Registered): Promise<Project> {
  const owner = await bots.projectOf(bot.id)
  const project =
    (owner === null ? undefined : await projects.get(owner)) ??
    (await projects.list()).find(({ name }) => name === PROJECT_NAME) ??
    (await projects.create({ name: PROJECT_NAME, plan: 'scale' }))
  await bots.add({ ...bot, projectId: project.id })
  return project
}
