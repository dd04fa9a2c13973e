#pragma once
#include <gumbo.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The exit code of a worker without memory for its document, `WorkerService.memoryExitCode` (EX_OSERR).
#define IMGDL_GUMBO_MEMORY_EXIT 71

/// Allocates memory for gumbo, which does not check the result. A process without memory ends with a message and
/// an exit code that state the reason, instead of a segmentation fault.
static void *imgdl_gumbo_allocate(void *userdata, size_t size) {
  (void)userdata;
  void *memory = malloc(size);
  if (!memory && size > 0) {
    static const char message[] = "the document needs more memory than its worker may use\n";
    ssize_t ignored = write(2, message, sizeof message - 1);
    (void)ignored;
    _exit(IMGDL_GUMBO_MEMORY_EXIT);
  }
  return memory;
}

static inline GumboOptions imgdl_gumbo_options(void) {
  GumboOptions options = kGumboDefaultOptions;
  options.allocator = imgdl_gumbo_allocate;
  options.max_errors = 0;
  return options;
}

static inline GumboOutput *imgdl_gumbo_parse(const char *text, size_t length) {
  GumboOptions options = imgdl_gumbo_options();
  return gumbo_parse_with_options(&options, text, length);
}

/// The children of a node; a null pointer for a node that cannot have any.
static inline GumboVector *imgdl_gumbo_children(GumboNode *node) {
  switch (node->type) {
  case GUMBO_NODE_DOCUMENT: return &node->v.document.children;
  case GUMBO_NODE_ELEMENT:
  case GUMBO_NODE_TEMPLATE: return &node->v.element.children;
  default: return NULL;
  }
}

static inline unsigned imgdl_gumbo_child_count(GumboNode *node) {
  GumboVector *children = imgdl_gumbo_children(node);
  return children ? children->length : 0;
}

static inline GumboNode *imgdl_gumbo_child(GumboNode *node, unsigned index) {
  return (GumboNode *)imgdl_gumbo_children(node)->data[index];
}

static inline bool imgdl_gumbo_is_element(const GumboNode *node) {
  return node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE;
}

/// The text of a node of text that is not only white space; a null pointer for other nodes.
static inline const char *imgdl_gumbo_text(const GumboNode *node) {
  return node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_CDATA ? node->v.text.text : NULL;
}

static inline bool imgdl_gumbo_is_space(const GumboNode *node) {
  return node->type == GUMBO_NODE_WHITESPACE;
}

static inline unsigned imgdl_gumbo_tag(const GumboNode *node) { return node->v.element.tag; }

static inline unsigned imgdl_gumbo_unknown_tag(void) { return GUMBO_TAG_UNKNOWN; }

static inline const char *imgdl_gumbo_tag_name(unsigned tag) {
  return gumbo_normalized_tagname((GumboTag)tag);
}

/// The name of an element that HTML does not define, as it is written in the document.
static inline GumboStringPiece imgdl_gumbo_original_name(const GumboNode *node) {
  GumboStringPiece name = node->v.element.original_tag;
  gumbo_tag_from_original_text(&name);
  return name;
}

static inline unsigned imgdl_gumbo_attribute_count(const GumboNode *node) {
  return node->v.element.attributes.length;
}

static inline const GumboAttribute *imgdl_gumbo_attribute(const GumboNode *node, unsigned index) {
  return (const GumboAttribute *)node->v.element.attributes.data[index];
}

/// Frees the tree. gumbo_destroy_output calls itself for each level of the tree, and would overflow the stack
/// of a deep one. So all nodes are first made children of the document, in the order of their levels.
static inline void imgdl_gumbo_destroy(GumboOutput *output) {
  GumboOptions options = imgdl_gumbo_options();
  GumboVector *all = &output->document->v.document.children;
  for (size_t next = 0; next < all->length; next++) {
    GumboVector *children = imgdl_gumbo_children((GumboNode *)all->data[next]);
    if (!children || children->length == 0) continue;
    size_t length = (size_t)all->length + children->length;
    if (length > all->capacity) {
      size_t capacity = 2 * length;
      void **data = (void **)realloc(all->data, capacity * sizeof *data);
      // Without memory the rest of the tree leaks until the process ends.
      if (!data || capacity > 0xffffffffu) return;
      all->data = data;
      all->capacity = (unsigned)capacity;
    }
    memcpy(all->data + all->length, children->data, children->length * sizeof *all->data);
    all->length = (unsigned)length;
    children->length = 0;
  }
  gumbo_destroy_output(&options, output);
}
