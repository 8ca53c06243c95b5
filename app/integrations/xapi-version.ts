/** Sent with every request to a record store: https://github.com/adlnet/xAPI-Spec */
export const XAPI_VERSION = '1.0.3'
