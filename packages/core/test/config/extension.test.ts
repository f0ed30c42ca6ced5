import { expect, test } from 'vitest'

import { readExtension } from '../../src/config/extension.ts'

test('an element that Java has written: its class, and its settings by their paths', () => {
  const text = [
    '!!org.example.YamlCacheConfiguration',
    'storage: !!org.example.YamlStoreConfiguration',
    '  className: com.example.Pool',
    '  props:',
    '    jdbcUrl: jdbc:h2:mem:x',
    '    maximumPoolSize: 10',
    "    password: '123'",
    '    nothing: null',
    'type: RDB',
  ].join('\n')
  expect(readExtension(text)).toEqual({
    className: 'org.example.YamlCacheConfiguration',
    settings: {
      'storage.className': 'com.example.Pool',
      'storage.props.jdbcUrl': 'jdbc:h2:mem:x',
      'storage.props.maximumPoolSize': '10',
      'storage.props.password': '123',
      type: 'RDB',
    },
  })
})

test('one without a tag, and one that is no mapping', () => {
  expect(readExtension('type: RDB')).toEqual({ className: '', settings: { type: 'RDB' } })
  expect(readExtension('just words')).toEqual({ className: '', settings: {} })
})
