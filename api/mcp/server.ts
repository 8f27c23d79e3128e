import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
import { createLru } from '../../lib/sharing/lru.ts'
import { sentOften } from '../http/compress.ts'
import { callTool, type ToolCaller, type ToolSite } from './call.ts'
import { failure } from './result.ts'
import type { RouteTool } from './tools.ts'

/** One POST: a message of the protocol, or a few. */
interface McpRequest {
  readonly url: string
  readonly headers: Headers
  readonly message: unknown
  readonly caller: ToolCaller
  readonly offers: Offers
}

/** The tools that the key may use. */
export interface Offers {
  /** The same for the same tools. */
  readonly name: string
  readonly includes: (tool: RouteTool) => boolean
}

export interface McpAnswer {
  readonly status: number
  readonly body: string | Buffer
}

interface McpServerOptions {
  readonly tools: readonly RouteTool[]
  readonly site: ToolSite
  readonly version: string
  /** Called with internal errors. */
  readonly onError: (error: unknown) => void
}

const INSTRUCTIONS =
  'Bandstand plays music in Discord voice channels. IDs of servers (guilds) and channels are strings of 17 to 20 digits. ' +
  'listPlayers returns those of the current players; otherwise ask the user. To play, call searchTracks, then play with a ' +
  "result's `encoded` as `track`, or with words as `query`; `channelId` is required unless the bot is in a voice channel. " +
  'getQueue returns the next tracks. A truncated result says how to get the rest.'

/**
 * Placeholder of the list, which is the same text for all keys of the same rights. No other text of an answer has it
 * unescaped.
 */
const LIST_PLACE = '"result":{"tools":[]}'
const MAX_LISTS = 16
/** Each with a list of its own and its compressed forms. Clients count their messages from 0. */
const MAX_ANSWERS = 16

/** Answers the messages of agents. Nothing is kept between two requests, so there is no session to end. */
export function createMcpServer({ tools, site, version, onError }: McpServerOptions) {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const withList = createListing(tools)
  // Each server would make one of its own, which takes longer than all else of a message.
  const jsonSchemaValidator = new AjvJsonSchemaValidator()

  function connect({ caller }: McpRequest): Server {
    const server = new Server(
      { name: 'bandstand', title: 'Bandstand', version },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator },
    )
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
      // The list is whole, so that no cursor comes of it.
      if (params?.cursor === undefined) return { tools: [] }
      throw new McpError(ErrorCode.InvalidParams, 'Invalid cursor. The list of tools has one page.')
    })
    server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args = {} } }) => {
      const tool = byName.get(name)
      if (!tool)
        throw new McpError(ErrorCode.InvalidParams, `Unknown tool ${name.slice(0, 100)}. List the tools again.`)
      try {
        return await callTool(tool, args, { caller, site })
      } catch (error) {
        onError(error)
        return failure('Unexpected error in the service. Its log has the details under the request ID.')
      }
    })
    return server
  }

  return {
    async answer(request: McpRequest): Promise<McpAnswer> {
      const { url, headers, message, offers } = request
      const server = connect(request)
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
      await server.connect(transport)
      try {
        const given = new Request(url, { method: 'POST', headers })
        const answer = await transport.handleRequest(given, { parsedBody: message })
        return { status: answer.status, body: withList(await answer.text(), offers) }
      } finally {
        await server.close()
      }
    },
  }
}

/** Puts the list into an answer. What is answered again is kept as it is sent, so that it is compressed once. */
function createListing(tools: readonly RouteTool[]) {
  const lists = createLru<string, string>(MAX_LISTS)
  const answers = createLru<string, Buffer>(MAX_ANSWERS)

  function listOf(offers: Offers): string {
    const known = lists.get(offers.name)
    if (known !== undefined) return known
    const listed = tools.filter((tool) => offers.includes(tool))
    const list = JSON.stringify(listed.map(toListed))
    lists.set(offers.name, list)
    return list
  }

  return (text: string, offers: Offers): string | Buffer => {
    if (!text.includes(LIST_PLACE)) return text
    const key = `${offers.name}\n${text}`
    const known = answers.get(key)
    if (known) return known
    const whole = text.replaceAll(LIST_PLACE, () => `"result":{"tools":${listOf(offers)}}`)
    answers.set(key, sentOften(Buffer.from(whole)))
    return whole
  }
}

function toListed({ name, title, description, inputSchema, annotations }: RouteTool) {
  return { name, title, description, inputSchema, annotations }
}
