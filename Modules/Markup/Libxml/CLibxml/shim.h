#pragma once
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// Receivers of the events of a document. The texts are in UTF-8, not terminated where a length is given, and
/// valid only during the call.
typedef struct {
  /// The attributes are five pointers each: local name, prefix, namespace, and the begin and end of the value.
  void (*start)(void *context, const char *name, const char *space, int attribute_count,
                const xmlChar **attributes);
  void (*text)(void *context, const char *bytes, int length);
  void (*end)(void *context, const char *name);
} imgdl_xml_receivers;

/// A parser of one document, with the first error that ends it.
typedef struct {
  xmlParserCtxtPtr parser;
  void *context;
  imgdl_xml_receivers receivers;
  /// The text of an entity of HTML, for the duration of a reference to it.
  xmlEntity entity;
  xmlChar entity_text[8];
  /// The code of the error (xmlParserErrors); 0 without an error.
  int error;
  int line;
  char message[256];
} imgdl_xml_reader;

static inline void imgdl_xml_start(void *data, const xmlChar *name, const xmlChar *prefix,
                                   const xmlChar *space, int namespace_count,
                                   const xmlChar **namespaces, int count, int defaulted,
                                   const xmlChar **attributes) {
  (void)namespace_count;
  (void)namespaces;
  imgdl_xml_reader *reader = data;
  // A prefix without a declaration stands for its usual namespace. The values that a document type declares
  // are not used.
  reader->receivers.start(reader->context, (const char *)name,
                          (const char *)(space ? space : prefix), count - defaulted, attributes);
}

static inline void imgdl_xml_end(void *data, const xmlChar *name, const xmlChar *prefix,
                                 const xmlChar *space) {
  (void)prefix;
  (void)space;
  imgdl_xml_reader *reader = data;
  reader->receivers.end(reader->context, (const char *)name);
}

static inline void imgdl_xml_text(void *data, const xmlChar *bytes, int length) {
  imgdl_xml_reader *reader = data;
  reader->receivers.text(reader->context, (const char *)bytes, length);
}

/// Resolves the entities of HTML, such as &eacute;, in the text of elements, because feeds use them without
/// declaring them. No entity that a document declares is ever used.
static inline xmlEntityPtr imgdl_xml_entity(void *data, const xmlChar *name) {
  imgdl_xml_reader *reader = data;
  // The parser takes only the first byte of such an entity in the value of an attribute.
  if (reader->parser->instate == XML_PARSER_ATTRIBUTE_VALUE) return NULL;
  const htmlEntityDesc *known = htmlEntityLookup(name);
  if (!known) return NULL;
  int length = xmlCopyCharMultiByte(reader->entity_text, (int)known->value);
  reader->entity_text[length] = 0;
  memset(&reader->entity, 0, sizeof reader->entity);
  reader->entity.type = XML_ENTITY_DECL;
  reader->entity.name = (const xmlChar *)known->name;
  reader->entity.content = reader->entity_text;
  reader->entity.length = length;
  reader->entity.etype = XML_INTERNAL_PREDEFINED_ENTITY;
  return &reader->entity;
}

/// Keeps the first error after which a document is not well-formed. Namespaces without a declaration and
/// warnings do not end a document.
static inline void imgdl_xml_error(void *data, xmlErrorPtr error) {
  imgdl_xml_reader *reader = data;
  if (reader->error || !error || error->level != XML_ERR_FATAL) return;
  reader->error = error->code ? error->code : XML_ERR_INTERNAL_ERROR;
  reader->line = error->line;
  if (error->message) strncpy(reader->message, error->message, sizeof reader->message - 1);
}

/// Returns a parser that opens no file, asks no server, and uses no declaration of an entity; a null pointer
/// without memory.
static inline imgdl_xml_reader *imgdl_xml_open(void *context, imgdl_xml_receivers receivers) {
  imgdl_xml_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->context = context;
  reader->receivers = receivers;
  xmlSAXHandler handlers;
  memset(&handlers, 0, sizeof handlers);
  handlers.initialized = XML_SAX2_MAGIC;
  handlers.startElementNs = imgdl_xml_start;
  handlers.endElementNs = imgdl_xml_end;
  handlers.characters = imgdl_xml_text;
  handlers.ignorableWhitespace = imgdl_xml_text;
  handlers.cdataBlock = imgdl_xml_text;
  handlers.getEntity = imgdl_xml_entity;
  handlers.serror = (xmlStructuredErrorFunc)imgdl_xml_error;
  reader->parser = xmlCreatePushParserCtxt(&handlers, reader, NULL, 0, NULL);
  if (!reader->parser) {
    free(reader);
    return NULL;
  }
  // Without XML_PARSE_NOENT, "&amp;" in an attribute would arrive as "&#38;". The reader of the document bounds
  // texts and depth itself, so that the limits of libxml2 (XML_PARSE_HUGE) are not needed.
  xmlCtxtUseOptions(reader->parser, XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_IGNORE_ENC |
                                        XML_PARSE_HUGE);
  return reader;
}

/// Parses the next bytes.
/// @return Whether further bytes are of use.
static inline bool imgdl_xml_parse(imgdl_xml_reader *reader, const char *bytes, int length,
                                   bool is_last) {
  int code = xmlParseChunk(reader->parser, bytes, length, is_last);
  if (!reader->error && !reader->parser->wellFormed) {
    reader->error = code ? code : XML_ERR_INTERNAL_ERROR;
    reader->line = reader->parser->input ? reader->parser->input->line : 0;
  }
  return !reader->error;
}

static inline void imgdl_xml_close(imgdl_xml_reader *reader) {
  if (reader->parser->myDoc) xmlFreeDoc(reader->parser->myDoc);
  xmlFreeParserCtxt(reader->parser);
  free(reader);
}

static inline int imgdl_xml_memory_error(void) { return XML_ERR_NO_MEMORY; }

/// The error of a reference to an entity that is not known.
static inline int imgdl_xml_undeclared_entity_error(void) { return XML_ERR_UNDECLARED_ENTITY; }

/// The line that is being parsed, from 1.
static inline int imgdl_xml_line(const imgdl_xml_reader *reader) {
  return reader->parser->input ? reader->parser->input->line : 0;
}

/// The version of the library as a number such as "20914" for 2.9.14.
static inline const char *imgdl_xml_version(void) { return xmlParserVersion; }
