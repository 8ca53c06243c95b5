import type { Plugin } from 'vite'

/**
 * V8 keeps sources in memory, with two bytes per character as soon as one is not Latin-1. `charset` makes esbuild
 * escape its strings; this escapes the rest, in comments, patterns and tagged templates, where escapes mean the same.
 */
export const oneByteSources: Plugin = {
  name: 'one-byte-sources',
  enforce: 'post',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk') chunk.code = chunk.code.replace(/[^\0-\x7f]/g, escaped)
  },
}

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
