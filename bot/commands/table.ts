import type { Command } from './command.ts'
import type { Component } from './component.ts'
import { play } from './music/play.ts'
import { queue, queuePage } from './music/queue.ts'
import { previous, skip } from './music/skip.ts'

/** Every command there is. What is not in this list does not exist. */
export const COMMANDS: readonly Command[] = [play, skip, previous, queue]

/** Every kind of button, menu and form. */
export const COMPONENTS: readonly Component[] = [queuePage]
