import { ApplicationCommandType, ApplicationIntegrationType, InteractionContextType } from 'discord-api-types/v10'
import { commandsOf, deleteCommand, isEntryPoint, putCommand } from './commands.ts'
import type { Application, World } from './world.ts'

/** Value of `handler` with which Discord opens the Activity itself. */
const OPENS_ACTIVITY = 2

/**
 * Turns Activities of an application on or off, as its owner does in the developer portal. Discord makes the command that
 * opens them, the entry point, by itself.
 */
export function setActivities(world: World, application: Application, isOn: boolean): void {
  if (application.hasActivities === isOn) return
  application.hasActivities = isOn
  const entry = commandsOf(application, null).find(isEntryPoint)
  if (entry && !isOn) deleteCommand(world, application, entry)
  if (!entry && isOn) {
    putCommand(world, application, null, {
      type: ApplicationCommandType.PrimaryEntryPoint,
      name: 'launch',
      handler: OPENS_ACTIVITY,
      integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
      contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
    })
  }
  world.notices.emit('applications')
}
