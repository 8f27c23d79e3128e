/** An ID of Discord. */
export const SNOWFLAKE = /^\d{17,20}$/
