/** The contract as an OpenAPI 3.1 document, generated from the schemas that the server uses. */
import { z } from 'zod'

import { failure } from '../contract/common.ts'
import { type Endpoint, type EndpointName, endpoints } from '../contract/endpoints.ts'
import { type RouteSchemas, routes } from '../contract/routes.ts'
import { messageParts } from '../contract/message.ts'
import { summaries } from '../contract/summaries.ts'

type Json = Record<string, unknown>

const definitions = '#/$defs/'
const components = '#/components/schemas/'

/** `$schema` is valid only in a separate document; named schemas are among the components. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, $defs: __, ...rest } = schemaWithNames(schema, io)
  return rest
}

/** The named schemas, which are recursive. */
function namedSchemas(): Json {
  return schemaWithNames(z.array(messageParts), 'output')['$defs'] as Json
}

function schemaWithNames(schema: z.ZodType, io: 'input' | 'output'): Json {
  const made = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
  return JSON.parse(made.replaceAll(`"${definitions}`, `"${components}`)) as Json
}

/** `basePath`: the base path of the console on its host; empty for the root. */
export function openApi(version: string, basePath = ''): Json {
  const paths: Record<string, Json> = {}
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const endpoint: Endpoint = endpoints[name]
    const path = `/api${endpoint.path}`
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(name, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'ElasticJob console',
      version,
      description: 'The API of the console: jobs, servers, history and configuration.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${basePath}/` }],
    tags: [...new Set(Object.values<Endpoint>(endpoints).map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Failure: jsonSchema(failure, 'output'), ...namedSchemas() },
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'elasticjob_console',
          description:
            'From POST /api/session. Every request except GET also needs the header X-CSRF-Token.',
        },
      },
    },
  }
}

function operationOf(name: EndpointName, endpoint: Endpoint): Json {
  const schemas: RouteSchemas = routes[name]
  const media = schemas.media ?? 'application/json'
  return {
    operationId: name,
    summary: summaries[name],
    description: `Role: ${endpoint.role}.`,
    tags: [tagOf(endpoint)],
    security: endpoint.role === 'nobody' ? [] : [{ basic: [] }, { session: [] }],
    parameters: [...parametersOf(schemas.params, 'path'), ...parametersOf(schemas.query, 'query')],
    ...(schemas.body === undefined
      ? {}
      : {
          requestBody: {
            required: schemas.bodyOptional !== true,
            content: { 'application/json': { schema: jsonSchema(schemas.body, 'input') } },
          },
        }),
    responses: {
      200: {
        description: 'Success.',
        content: { [media]: { schema: jsonSchema(schemas.answer, 'output') } },
      },
      default: {
        description: 'Failure.',
        content: { 'application/json': { schema: { $ref: `${components}Failure` } } },
      },
    },
  }
}

function parametersOf(schema: z.ZodType, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, inner]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: inner,
  }))
}

function tagOf({ path }: Endpoint): string {
  return path.split('/')[1]?.replace('.json', '') ?? ''
}
