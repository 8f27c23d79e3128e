import { z } from 'zod'
import { customId } from '../core/custom-id.ts'

export const ADD_ID = customId('add', z.tuple([]))
