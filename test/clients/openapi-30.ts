type Node = Record<string, unknown>

/**
 * The document as OpenAPI 3.0.3 writes it, for generators that do not read 3.1 yet: null is `nullable`, a constant text is an `enum` of
 * one, names of properties have no schema, and a reference stands alone. Bodies get names, since generators would number them.
 */
export function toOpenApi30(document: unknown): Node {
  const { openapi: _, info, paths, ...rest } = convert(document) as Node & { info: Node; paths: Record<string, Node> }
  const { summary: __, license: ___, ...kept } = info
  for (const operation of Object.values(paths).flatMap((verbs) => Object.values(verbs) as Node[])) nameBody(operation)
  const known = Object.entries(rest).filter(([name]) => !name.startsWith('x-'))
  return { openapi: '3.0.3', info: kept, paths, ...Object.fromEntries(known) }
}

function nameBody({ operationId, requestBody }: Node): void {
  const content = (requestBody as { content?: Record<string, { schema: Node }> } | undefined)?.content
  const schema = content?.['application/json']?.schema
  if (schema && !('$ref' in schema)) schema['title'] = `${String(operationId)}Request`
}

function convert(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(convert)
  if (typeof node !== 'object' || node === null) return node
  if ('$ref' in node) return { $ref: node.$ref }
  const { examples: _, propertyNames: __, ...rest } = node as Node
  const own: Node = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, convert(value)]))
  return withConst(withNullableUnion(withNullableType(own)))
}

function withNullableType({ type, ...rest }: Node): Node {
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest }
  const kinds = type.filter((kind) => kind !== 'null') as string[]
  return {
    ...rest,
    ...(kinds.length === 1 && { type: kinds[0] }),
    ...(kinds.length < type.length && { nullable: true }),
  }
}

function withNullableUnion({ anyOf, ...rest }: Node): Node {
  if (!Array.isArray(anyOf)) return rest
  const kinds = (anyOf as Node[]).filter(({ type }) => type !== 'null')
  if (kinds.length === anyOf.length) return { anyOf, ...rest }
  const [only = {}] = kinds
  const kind = kinds.length > 1 ? { anyOf: kinds } : '$ref' in only ? { allOf: [only] } : only
  return { ...rest, ...kind, nullable: true }
}

/** A pattern that says what a format says already is one too many for generators. */
function withConst({ const: constant, pattern, ...rest }: Node): Node {
  return {
    ...rest,
    ...(typeof constant === 'string' && { enum: [constant] }),
    ...(pattern !== undefined && !('format' in rest) && { pattern }),
  }
}
