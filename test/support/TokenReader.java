import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Base64;

/**
 * Reads track tokens, one a line, with what Java brings along to read its own data format, and writes each of them again.
 * A line of the answer: the fields with spaces between them (texts as hexadecimal UTF-16, `-` for null), then the token.
 */
public class TokenReader {
  private final StringBuilder fields = new StringBuilder();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(body);
  private final DataInputStream in;

  TokenReader(byte[] bytes) {
    in = new DataInputStream(new ByteArrayInputStream(bytes));
  }

  public static void main(String[] args) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println(new TokenReader(Base64.getDecoder().decode(line)).read());
    }
  }

  private String read() throws IOException {
    int header = in.readInt();
    add(header >>> 30);
    int version = in.readUnsignedByte();
    out.writeByte(version);
    add(version);
    text();
    text();
    number();
    text();
    boolean isStream = in.readBoolean();
    out.writeBoolean(isStream);
    add(isStream);
    for (int i = 0; i < 3; i++) textOrNull();
    String source = text();
    if (source.equals("http") || source.equals("local")) text();
    number();
    if (in.available() > 0 || (header & 0x3fffffff) != body.size()) throw new IOException("wrong size");
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    new DataOutputStream(whole).writeInt(1 << 30 | body.size());
    body.writeTo(whole);
    return fields + Base64.getEncoder().encodeToString(whole.toByteArray());
  }

  private void textOrNull() throws IOException {
    boolean isThere = in.readBoolean();
    out.writeBoolean(isThere);
    if (isThere) text();
    else add("-");
  }

  private String text() throws IOException {
    String text = in.readUTF();
    out.writeUTF(text);
    StringBuilder hex = new StringBuilder("x");
    for (char unit : text.toCharArray()) hex.append(String.format("%04x", (int) unit));
    add(hex);
    return text;
  }

  private void number() throws IOException {
    long number = in.readLong();
    out.writeLong(number);
    add(number);
  }

  private void add(Object field) {
    fields.append(field).append(' ');
  }
}
