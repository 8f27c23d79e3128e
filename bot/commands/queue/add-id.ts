import { z } from 'zod'
import { customId } from '../core/custom-id.ts'

/** The button that asks what to add. */
export const ADD_ID = customId('add', z.tuple([]))
