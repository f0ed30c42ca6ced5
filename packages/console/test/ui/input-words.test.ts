import { message } from '@elasticjob/core'
import { expect, it } from 'vitest'
import { routes } from '../../src/contract/routes.ts'
import { isConsoleError } from '../../src/errors.ts'
import { parse } from '../../src/server/http/input.ts'
import { input } from '../../ui/src/i18n/zh/messages/input.ts'

/** Whatever a field of the configuration form can hold and no schema takes. */
const changes = {
  timeZone: 'x'.repeat(101),
  jobListenerTypes: Array.from({ length: 101 }, String),
  props: { ['x'.repeat(501)]: '' },
  // A number that is too large for JSON.
  shardingTotalCount: null,
}

it('what the schemas say of fields has Chinese words, and there are words for nothing else', () => {
  const templates = new Set<string>()
  try {
    parse(routes.checkConfiguration.body, { changes }, message`the body`)
  } catch (error) {
    if (!isConsoleError(error)) throw error
    for (const { messageParts } of error.problems ?? []) templates.add(messageParts?.template ?? '')
  }
  expect([...templates].toSorted()).toEqual(Object.keys(input).toSorted())
})
