#pragma once
// TurboJPEG reports only the first warning about a file, and libvips none about a JPEG that it shrinks on
// load. The classic interface of libjpeg reports all of them. libjpeg is opened by name: only workers need
// it.
#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#if JPEG_LIB_VERSION >= 80
#define IMGDL_JPEG_LIBRARY "libjpeg.so.8"
#else
#define IMGDL_JPEG_LIBRARY "libjpeg.so.62"
#endif

#define IMGDL_JPEG_FUNCTIONS(F)                                                            \
  F(jpeg_std_error) F(jpeg_CreateDecompress) F(jpeg_mem_src) F(jpeg_read_header)           \
  F(jpeg_start_decompress) F(jpeg_read_scanlines) F(jpeg_finish_decompress)                \
  F(jpeg_destroy_decompress)

/// The functions of libjpeg, each under its own name. The struct is written once, before threads share it.
typedef struct __attribute__((swift_attr("@Sendable"))) {
#define IMGDL_FIELD(name) __typeof__(&name) name;
  IMGDL_JPEG_FUNCTIONS(IMGDL_FIELD)
#undef IMGDL_FIELD
} imgdl_jpeg;

/// Opens libjpeg. Returns NULL, or the reason why it cannot be opened; the text is valid until the next call.
static inline const char *imgdl_jpeg_open(imgdl_jpeg *jpeg) {
  void *library = dlopen(IMGDL_JPEG_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  if (!library) return dlerror();
#define IMGDL_LOOK_UP(name)                              \
  jpeg->name = (__typeof__(&name))dlsym(library, #name); \
  if (!jpeg->name) return dlerror();
  IMGDL_JPEG_FUNCTIONS(IMGDL_LOOK_UP)
#undef IMGDL_LOOK_UP
  return 0;
}

/// The error manager of libjpeg with the first message that indicates damage.
typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf exit;
  int is_damaged;
  char message[JMSG_LENGTH_MAX];
} imgdl_jpeg_complaints;

static inline void imgdl_jpeg_keep(j_common_ptr common) {
  imgdl_jpeg_complaints *complaints = (imgdl_jpeg_complaints *)common->err;
  if (complaints->is_damaged) return;
  complaints->is_damaged = 1;
  complaints->base.format_message(common, complaints->message);
}

static inline void imgdl_jpeg_exit(j_common_ptr common) {
  imgdl_jpeg_keep(common);
  longjmp(((imgdl_jpeg_complaints *)common->err)->exit, 1);
}

/// Ignores warnings about the encoding of the file, and keeps the first one about missing or wrong pixels.
static inline void imgdl_jpeg_note(j_common_ptr common, int level) {
  if (level >= 0) return;
  common->err->num_warnings++;
  switch (common->err->msg_code) {
    case JWRN_JFIF_MAJOR:
    case JWRN_ADOBE_XFORM:
    case JWRN_NOT_SEQUENTIAL:
      return;
    case JWRN_EXTRANEOUS_DATA: {
      // Extraneous bytes before a restart marker are lost pixels; before other markers they are padding.
      int marker = common->err->msg_parm.i[1];
      if (marker < 0xd0 || marker > 0xd7) return;
      break;
    }
    default:
      break;
  }
  imgdl_jpeg_keep(common);
}

static inline void imgdl_jpeg_say_nothing(j_common_ptr common) { (void)common; }

/// Ends the survey of a file with more than 500 scans, which would take too long.
static inline void imgdl_jpeg_count_scans(j_common_ptr common) {
  struct jpeg_decompress_struct *file = (struct jpeg_decompress_struct *)common;
  if (file->input_scan_number > 500) longjmp(((imgdl_jpeg_complaints *)common->err)->exit, 1);
}

/// Decodes a file at an eighth of its size and discards the pixels.
/// - Returns: 1 and the message if pixels are missing or wrong, otherwise 0.
static inline int imgdl_jpeg_survey(const imgdl_jpeg *jpeg, const void *bytes, size_t size,
                                    char *message, size_t capacity) {
  struct jpeg_decompress_struct file;
  struct jpeg_progress_mgr progress;
  imgdl_jpeg_complaints complaints;
  memset(&file, 0, sizeof file);
  memset(&progress, 0, sizeof progress);
  memset(&complaints, 0, sizeof complaints);
  file.err = jpeg->jpeg_std_error(&complaints.base);
  complaints.base.error_exit = imgdl_jpeg_exit;
  complaints.base.emit_message = imgdl_jpeg_note;
  complaints.base.output_message = imgdl_jpeg_say_nothing;
  if (setjmp(complaints.exit) == 0) {
    jpeg->jpeg_CreateDecompress(&file, JPEG_LIB_VERSION, sizeof file);
    progress.progress_monitor = imgdl_jpeg_count_scans;
    file.progress = &progress;
    jpeg->jpeg_mem_src(&file, (const unsigned char *)bytes, size);
    jpeg->jpeg_read_header(&file, TRUE);
    file.out_color_space = file.jpeg_color_space;
    file.scale_num = 1;
    file.scale_denom = 8;
    file.dct_method = JDCT_IFAST;
    file.do_fancy_upsampling = FALSE;
    jpeg->jpeg_start_decompress(&file);
    JSAMPARRAY row = file.mem->alloc_sarray(
        (j_common_ptr)&file, JPOOL_IMAGE, file.output_width * file.output_components, 1);
    while (file.output_scanline < file.output_height) jpeg->jpeg_read_scanlines(&file, row, 1);
    jpeg->jpeg_finish_decompress(&file);
  }
  jpeg->jpeg_destroy_decompress(&file);
  if (capacity > 0) snprintf(message, capacity, "%s", complaints.message);
  return complaints.is_damaged;
}
