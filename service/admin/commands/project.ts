import { Argument, Command, Option } from 'commander'
import type { Project } from '../../../db/projects/projects.ts'
import { PLAN_NAMES, type Plan } from '../../../lib/plans.ts'
import type { AdminContext, Json } from '../context.ts'
import { fields, isoTime, table } from '../words.ts'

const EXAMPLES = `
Examples:
  npm run admin -- project create "My servers" --plan standard
  npm run admin -- project plan prj_… advanced`

/** Projects: what plans, keys, bots and players belong to. */
export function projectCommand(context: AdminContext): Command {
  const project = new Command('project').description('create and list projects, and change their plan')
  project.addHelpText('after', EXAMPLES)
  project
    .command('create')
    .description('create a project')
    .argument('<name>', 'name of the project')
    .addOption(new Option('--plan <plan>', 'plan; sets the limits').choices(PLAN_NAMES).default('free'))
    .action(async (name: string, options: Json & { plan: Plan }) => {
      showOne(context, options, await context.projects().create({ name, plan: options.plan }))
    })
  project
    .command('list')
    .description('list all projects')
    .action(async (options: Json) => {
      const projects = (await context.projects().list()).map(toJson)
      const rows = projects.map(({ id, name, plan, createdAt }) => [id, plan, createdAt, name])
      context.show(options, projects, table(['id', 'plan', 'created', 'name'], rows))
    })
  project
    .command('plan')
    .description("change a project's plan; the new limits apply within one second")
    .argument('<id>', 'project ID')
    .addArgument(new Argument('<plan>', 'new plan').choices(PLAN_NAMES))
    .action(async (id: string, plan: Plan, options: Json) =>
      showOne(context, options, await context.projects().setPlan(id, plan)),
    )
  return project
}

function showOne(context: AdminContext, options: Json, project: Project): void {
  const shown = toJson(project)
  context.show(options, shown, fields(shown))
}

function toJson({ id, name, plan, createdAtMs }: Project) {
  return { id, name, plan, createdAt: isoTime(createdAtMs) }
}
