import { expect, it } from 'vitest'
import { browserName } from './session.ts'

it('A session is named after its browser and operating system', () => {
  for (const [user_agent, name] of [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36 Edg/141.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/18.0 Mobile/15E Safari/604.1',
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['', null],
    [null, null],
  ] as const)
    expect(browserName(user_agent)).toBe(name)
})
