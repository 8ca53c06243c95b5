import type { Plugin } from 'vite'

/**
 * V8 keeps a source as long as it runs, in two bytes a letter where a single one is not Latin. `charset` escapes what
 * esbuild prints as strings; what is left stands in comments, patterns and tagged templates, which read escapes as well.
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
