/** What a page shows: without the data that its scripts bring, and without where its words may be broken. */
export const shown = (html: string): string =>
  html.replace(/(<script\b[^>]*>).*?(<\/script>)/gs, '$1$2').replaceAll(/<wbr\/>|<!-- -->/g, '')
