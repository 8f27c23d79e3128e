import { ComponentType, TextInputStyle } from 'discord.js'
import { bareId } from '../core/custom-id.ts'
import { component } from '../core/component.ts'
import type { Reply } from '../core/reply.ts'
import { runPlay } from '../playback/play.ts'
import { ADD_ID } from './add-id.ts'

const FORM_ID = bareId('adding')
const FIELD = 'query'
const LONGEST_QUERY = 500

export const addButton = component({
  id: ADD_ID,
  rule: 'joiner',
  run: async ({ words }): Promise<Reply> => ({
    as: 'form',
    form: {
      custom_id: FORM_ID.of(),
      title: words.adding.title,
      components: [
        {
          type: ComponentType.Label,
          label: words.adding.field,
          component: {
            type: ComponentType.TextInput,
            custom_id: FIELD,
            style: TextInputStyle.Short,
            required: true,
            max_length: LONGEST_QUERY,
          },
        },
      ],
    },
  }),
})

export const addForm = component({
  id: FORM_ID,
  rule: 'joiner',
  run: (invocation, context, { fields }) => runPlay(invocation, context, { query: fields.get(FIELD)?.trim() ?? '' }),
})
