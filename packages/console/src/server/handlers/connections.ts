/** Registries and data sources: list, add, test and select. */
import { message } from '../../message.ts'
import type { Handlers } from '../http/handler.ts'
import { registryOf } from './action.ts'
import { historyOf, preferredSources } from './history.ts'

type ConnectionHandlers = Pick<
  Handlers,
  | 'listRegistries'
  | 'saveRegistry'
  | 'removeRegistry'
  | 'connectRegistry'
  | 'showActivatedRegistry'
  | 'testRegistry'
  | 'listNamespaces'
  | 'listDataSources'
  | 'saveDataSource'
  | 'removeDataSource'
  | 'testDataSource'
  | 'connectDataSource'
  | 'showActivatedDataSource'
>

export const connectionHandlers: ConnectionHandlers = {
  listRegistries: ({ query, identity, services }) =>
    services.registries.list(query.registry ?? services.choices.of(identity.username).registry),

  saveRegistry: async ({ body, notes, services: { registries } }) => {
    notes.registry = body.name
    await registries.save(body)
    notes.messageParts = message('registry-saved', {
      name: body.name,
      address: body.zkAddressList,
      namespace: body.namespace,
    })
    return registries.entry(body.name, undefined)
  },

  removeRegistry: async ({ body, notes, services: { registries } }) => {
    notes.registry = body.name
    await registries.remove(body.name)
    notes.messageParts = message('registry-forgotten', { name: body.name })
    return { ok: true }
  },

  connectRegistry: async ({ body, identity, services }) => {
    await services.registries.find(body.name).open()
    services.choices.choose(identity.username, 'registry', body.name)
    return services.registries.entry(body.name, body.name)
  },

  showActivatedRegistry: ({ query, identity, services: { registries, choices } }) => {
    if (registries.names.length === 0) return null
    const { name } = registries.find(query.registry, choices.of(identity.username).registry)
    return registries.entry(name, name)
  },

  testRegistry: ({ body, services }) => services.registries.test(body),

  listNamespaces: async (ask) => {
    const { withJobs, unreadable } = await (await registryOf(ask)).operations.namespaces()
    return { withJobs: [...withJobs], unreadable: [...unreadable] }
  },

  listDataSources: (ask) => ask.services.sources.list([ask.query.source, ...preferredSources(ask)]),

  saveDataSource: async ({ body, notes, services: { sources } }) => {
    await sources.save(body)
    const entry = sources.entry(body.name, undefined)
    notes.messageParts = message('data-source-saved', { name: entry.name, url: entry.url })
    return entry
  },

  removeDataSource: async ({ body, notes, services: { sources } }) => {
    await sources.remove(body.name)
    notes.messageParts = message('data-source-forgotten', { name: body.name })
    return { ok: true }
  },

  testDataSource: ({ body, services }) => services.sources.test(body),

  connectDataSource: async (ask) => {
    const { name } = ask.body
    const { sources, choices } = ask.services
    await historyOf({ ...ask, query: { source: name } })
    choices.choose(ask.identity.username, 'source', name)
    return sources.entry(name, name)
  },

  showActivatedDataSource: (ask) => {
    const preferred = [ask.query.source, ...preferredSources(ask)]
    return ask.services.sources.list(preferred).find(({ activated }) => activated) ?? null
  },
}
