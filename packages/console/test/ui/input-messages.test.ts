import { expect, it } from 'vitest'
import { routes } from '../../src/contract/routes.ts'
import { isConsoleError } from '../../src/errors.ts'
import { message } from '../../src/message.ts'
import { parse } from '../../src/server/http/input.ts'

/** Whatever a field of the configuration form can hold and no schema takes. */
const changes = {
  timeZone: 'x'.repeat(101),
  jobListenerTypes: Array.from({ length: 101 }, String),
  props: { ['x'.repeat(501)]: '' },
  // A number that is too large for JSON.
  shardingTotalCount: null,
}

it('what a schema refuses in a field of the form is a message', () => {
  const codes: string[] = []
  try {
    parse(routes.checkConfiguration.body, { changes }, message('body-subject'))
  } catch (error) {
    if (!isConsoleError(error)) throw error
    for (const { messageParts } of error.problems ?? []) codes.push(messageParts?.code ?? '')
  }
  expect(codes.toSorted()).toEqual([
    'input-key-too-long',
    'input-list-too-long',
    'input-not-a-number',
    'input-text-too-long',
  ])
})
